# pbzip2 -p3 of a few blocks that are easy to sort: what it does with threads is what counts.  As it is it has no race; so
# also without some of its locks, one at a time (the lines are those of Debian 12's source): the producer's flag (-done),
# the queue of the consumers (-fifo), the list of what is to be
# written (-out).
. "$recipes/../overhead.d/pbzip2.sh"
uses=(bzip2)
extra=(../overhead.d/pbzip2.sh ../real.d/pbzip2.sh)

input() {
	{ text 2000 && head -c 350000 /dev/zero; } >text
	bzip2 -1 <text >text.bz2
}

arguments() {
	cmd=("$tree/pbzip2" -q -1 -p3 -b1 -c "$in/text")
	[[ $row != pbzip2-d ]] || cmd=("$tree/pbzip2" -q -d -p3 -c "$in/text.bz2")
}
