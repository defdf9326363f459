# pbzip2 -p4 of 20 MB of text: C++, four threads, one that reads and one that writes.
. "$recipes/../overhead.d/pbzip2.sh"
uses=(bzip2)
extra=(../overhead.d/pbzip2.sh)

input() { text 20000000 >text; }

arguments() { cmd=("$tree/pbzip2" -q -9 -p4 -b5 -c "$in/text"); }
