# The library that pbzip2 uses.
. "$recipes/../overhead.d/bzip2.sh"
