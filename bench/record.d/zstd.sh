# zstd -T4 of 20 MB of text, in jobs of 1 MB.
. "$recipes/../overhead.d/zstd.sh"
extra=(../overhead.d/zstd.sh)

input() { text 20000000 >text; }

arguments() { cmd=("$tree/programs/zstd" -q -T4 -B1M -c "$in/text"); }
