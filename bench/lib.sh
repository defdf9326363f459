# Sources and builds of Debian packages, shared by the scripts next to it.
#
# The script sets work (a directory of its own, absolute), recipes (where PACKAGE.sh are) and package.  A recipe sets
# what differs from the defaults of recipe_defaults and defines build, which runs in the build tree with CC and CXX.
# shellcheck shell=bash disable=SC2154,SC2034 # variables of the script and of the recipes

bench_lib=$(realpath "${BASH_SOURCE[0]}")

# --- sources -----------------------------------------------------------------------------------------------------

recipe_defaults() {
	source=$package # name of the source package
	needs=()        # packages to install
	uses=()         # recipes to build first
	unpack=()       # options of dpkg-source
	extra=()        # files next to the recipe that the build depends on
	own_failures=() # what it does wrong natively, too (bench/real)
}

# The machine's apt sources once more as deb-src, in a private directory: its own configuration stays untouched.
# Third-party repositories are left out: they have no sources for us and some answer with errors.  With a suite it is that
# one of Debian, for packages whose version here the archive does not have any more.
apt_setup() { # [SUITE]
	local apt=$work/apt${1:+-$1} file
	mkdir -p "$apt/sources.d" "$apt/lists/partial" "$apt/cache/archives/partial"
	: >"$apt/sources.d/omen.list"
	: >"$apt/sources.d/omen.sources"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[[ -r $file ]] || continue
		sed -nE '/debian|ubuntu/s/^[[:space:]]*deb(-src)?[[:space:]]/deb-src /p' "$file"
	done | sort -u >"$apt/sources.d/omen.list"
	for file in /etc/apt/sources.list.d/*.sources; do
		[[ -r $file ]] || continue
		awk -v RS= -v ORS='\n\n' '
			tolower($0) ~ /(^|\n)enabled:[ \t]*(no|false)/ || !/\n?URIs:[^\n]*(debian|ubuntu)/ { next }
			{ gsub(/(^|\n)Types:[^\n]*/, "\nTypes: deb-src"); sub(/^\n/, ""); print }' "$file"
	done >"$apt/sources.d/omen.sources"
	if [[ ${1-} ]]; then
		: >"$apt/sources.d/omen.list"
		cat >"$apt/sources.d/omen.sources" <<-END
		Types: deb-src
		URIs: $(awk '/^URIs:.*debian/ && !/security/ { print $2; exit }' "$work/apt/sources.d/omen.sources" \
			"$work/apt/sources.d/omen.list" | grep . || echo http://deb.debian.org/debian)
		Suites: $1
		Components: main
		Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
		END
	fi
	cat >"$apt/apt.conf" <<-END
	#clear APT::Update::Pre-Invoke;
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	Dir::Etc::sourcelist "/dev/null";
	Dir::Etc::sourceparts "$apt/sources.d";
	Dir::State::Lists "$apt/lists";
	Dir::Cache "$apt/cache";
	APT::Sandbox::User "$(id -un)";
	Acquire::Languages "none";
	Acquire::Retries "1";
	Acquire::http::Timeout "20";
	Acquire::https::Timeout "20";
	END
	timeout 120 apt-get -c "$apt/apt.conf" -q update >"$apt/log" 2>&1 || true
}

apt_install() { # PACKAGE...: only those that are missing
	local missing=() p
	for p; do
		[[ $(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null) == installed ]] || missing+=("$p")
	done
	((${#missing[@]})) || return 0
	((EUID == 0)) || { echo "${missing[*]} not installed (apt-get install ${missing[*]})"; return 1; }
	local install=(env DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=120 install
		--no-install-recommends "${missing[@]}")
	"${install[@]}" >"$work/install.log" 2>&1 && return
	apt-get -q update >>"$work/install.log" 2>&1 || true
	"${install[@]}" >>"$work/install.log" 2>&1 || { echo "cannot install ${missing[*]}, see $work/install.log"; return 1; }
}

# The newest version whose files are all there: an archive may name some that are gone.
download() { # [SUITE]
	local conf=$work/apt${1:+-$1}/apt.conf version
	[[ -e $conf ]] || return
	for version in $(apt-cache -c "$conf" showsrc --only-source "$source" 2>/dev/null | sed -n 's/^Version: //p' |
		sort -Vru); do
		rm -rf "$work/dl/$package"/*
		(cd "$work/dl/$package" && timeout 300 apt-get -c "$conf" -q source --download-only "$source=$version") \
			>"$work/dl/$package.log" 2>&1 && return
		(cd "$work/dl/$package" && describe "$conf" "$version") >>"$work/dl/$package.log" 2>&1 && return
	done
	return 1
}

# Only the .dsc is missing: all it says is in the archive's index, too, and the files have its checksums.
describe() { # APT_CONF VERSION
	local dsc=${source}_${2#*:}.dsc
	rm -f "$dsc"
	apt-cache -c "$1" showsrc --only-source "$source" | awk -v RS= -v v="$2" 'index($0 "\n", "\nVersion: " v "\n") { print; exit }' |
		sed -e 's/^Package:/Source:/' -e '/^ .*\.dsc$/d' -e '/^Directory:/d' >"$dsc.new"
	sed -n '/^Checksums-Sha256:/,/^[^ ]*:/s/^ \([0-9a-f]*\) [0-9]* \(.*\)/\1  \2/p' "$dsc.new" >"$dsc.sums"
	[[ -s $dsc.sums ]] && sha256sum -c "$dsc.sums" && mv "$dsc.new" "$dsc"
}

# Unpacks the package's source to $work/src/PACKAGE; prints the reason when that fails, status 3 when the archive
# cannot be reached.
fetch() {
	local dir=$work/src/$package
	[[ -e $dir.done ]] && return
	apt_install dpkg-dev || return 3
	mkdir -p "$work/dl/$package" "$work/src"
	# Lists of an earlier day may name versions that are gone: ask again once.
	download || {
		apt_setup
		download
	} || {
		apt_setup trixie
		download trixie
	} || {
		apt_setup sid
		download sid
	} || {
		echo "cannot fetch source $source:" \
			"$(grep -hE '^W: Failed|^E:' "$work/apt/log" "$work/dl/$package.log" | head -n 1 | cut -c 1-200)"
		return 3
	}
	rm -rf "$dir"
	dpkg-source --no-check "${unpack[@]}" -x "$work/dl/$package"/*.dsc "$dir" >>"$work/dl/$package.log" 2>&1 || {
		echo "dpkg-source failed, see $work/dl/$package.log"
		return 1
	}
	touch "$dir.done"
}

# --- builds ------------------------------------------------------------------------------------------------------

tree_of() { echo "$work/$1/${2:-$package}"; } # SIDE [PACKAGE]: the build tree

# A build is kept until the compiler, Omen's inlined helpers or the recipe change.
build_key() { # CC CXX
	local parts=("$recipes/$package.sh" "$(realpath "$(command -v "$1")")" "$(realpath "$(command -v "$2")")")
	parts+=("${extra[@]/#/$recipes/}")
	[[ -e $(dirname "$1")/inline.bc ]] && parts+=("$(dirname "$1")/inline.bc")
	sha256sum "${parts[@]}"
}

# Builds the package for SIDE; prints the reason when that fails.
build_side() { # SIDE CC CXX
	local side=$1 tree key
	tree=$(tree_of "$side")
	key=$(build_key "$2" "$3")
	[[ -e $tree.key && $(<"$tree.key") == "$key" ]] && return
	rm -rf "$tree" "$tree.key"
	mkdir -p "$work/$side"
	cp -a "$work/src/$package" "$tree"
	# A new bash, not a subshell: under `|| …` a subshell would not stop at the first error.
	# shellcheck disable=SC2016
	if ! side=$side tree=$tree CC=$2 CXX=$3 work=$work package=$package recipes=$recipes MAKEFLAGS=-j2 \
		timeout --kill-after=10 1800 bash -euo pipefail -c \
		'. "$1"; . "$recipes/$package.sh"; cd "$tree"; build' build "$bench_lib" >"$tree.log" 2>&1 9>&- </dev/null; then
		echo "$(grep -m1 -iE 'error:|error |undefined' "$tree.log" || tail -n 1 "$tree.log") (log: $tree.log)"
		return 1
	fi
	echo "$key" >"$tree.key"
}
