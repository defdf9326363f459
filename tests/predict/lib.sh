# Builds the programs that the tests of prediction share.
src=$tests/../src
core=()
for name in trace trace_build trace_sync std_format intern place_pairs trace_clocks closed_set tier_happens_before tier_sync_preserving trace_accesses \
	beyond_window linear_witness window_prefix window candidates solver_deadline order_encoding \
	order_refinement order_solver witness tier_maximal; do
	core+=("$src/predict/$name.c")
done
core+=("$src/format/error.c" "$src/format/file.c")

programs() {
	local flags="-std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I$src"
	# shellcheck disable=SC2086
	clang-19 $flags "$tests"/predict/{brute,brute_trace}.c -o brute >log 2>&1 && clang-19 $flags "$tests/predict/random.c" -o random >>log 2>&1 &&
		clang-19 $flags -DCLOCK_BITS=1 "$tests/predict/tiers.c" "${core[@]}" -lz3 -o tiers >>log 2>&1 || because "not built: $(said log)"
}
