# marked_pairs FILE: the line pairs that a test program marks by "// race LETTER", as "7 12", each once; a letter on one line
# only marks a line that races with itself.
marked_pairs() {
	awk '
		match($0, /\/\/ race( [A-Z])+$/) {
			n = split(substr($0, RSTART + 8), letters, " ")
			for (i = 1; i <= n; i++)
				lines[letters[i]] = lines[letters[i]] NR " "
		}
		END {
			for (l in lines) {
				n = split(lines[l], at, " ")
				print (n > 2 ? l " stands on more than two lines" : at[1] " " at[n])
			}
		}' "$1" | sort -u
}
