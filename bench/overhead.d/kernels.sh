# Kernels of our own: no thread is created in hash, matmul and quicksort, two in each -2t.
extra=(kernels/hash.c kernels/matmul.c kernels/quicksort.c)

fetch() { mkdir -p "$work/src/$package"; }

build() {
	local kernel
	for kernel in hash matmul quicksort; do
		"$CC" $flags "$recipes/kernels/$kernel.c" -o "$kernel" -lpthread
	done
}

workload() {
	local threads=1 size
	[[ $row != *-2t ]] || threads=2
	case $row in
	hash*) size=12000000 ;;
	matmul*) size=900 ;;
	quicksort*) size=9000000 ;;
	esac
	measured "$tree/${row%-2t}" "$size" "$threads"
}
