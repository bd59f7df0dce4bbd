# shellcheck shell=bash
# What the scripts share. Sourced, never run: from here on a script stops at its first fault and stands in the
# repository's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# To build, to test and to run (Debian 12).
build_packages=(
  g++ cmake ninja-build ccache mold pkg-config
  libcaf-dev libsoci-dev libboost1.81-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libpq-dev
  nlohmann-json3-dev libspdlog-dev libfmt-dev libcli11-dev libtomlplusplus-dev prometheus-cpp-dev
  libphonenumber8 libprotobuf-dev libabsl-dev
  catch2 librapidcheck-dev libbenchmark-dev
  postgresql python3 python3-aiosmtpd python3-h2 python3-cryptography curl openssl nghttp2-server
)
# The operator page is built with Node and npm, Debian's or others.
command -v node >/dev/null && command -v npm >/dev/null || build_packages+=(nodejs npm)
# What tests in a browser need beside them; without it they are skipped.
browser_packages=(chromium fonts-liberation)
# What scripts/check needs beside them.
check_packages=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev llvm-19)
# What scripts/package needs beside them, and scripts/check_package.
package_packages=(dpkg-dev file gzip)

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  else
    sudo "$@"
  fi
}

# install_missing PACKAGE…: nothing is asked of the package manager when nothing is missing.
install_missing() {
  local package missing=()
  if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: the packages scripts/lib.sh names are taken to be there" >&2
    return 0
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  echo "installing ${missing[*]}" >&2
  as_root apt-get update -qq >&2 </dev/null
  # RUNLEVEL=1: the package's own PostgreSQL server is not started; the tests start one of theirs.
  as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" >&2 </dev/null
}

# libphonenumber's development package wants Boost 1.74's beside it, which Boost 1.81's excludes: its headers are unpacked
# without it being installed (cmake/FindPhoneNumber.cmake).
unpack_headers() {
  local within=build/headers
  command -v dpkg >/dev/null || return 0
  [[ ! -e /usr/include/phonenumbers && ! -e $within/usr/include/phonenumbers ]] || return 0
  mkdir -p "$within"
  (
    cd "$within"
    apt-get download -qq libphonenumber-dev >&2
    dpkg -x libphonenumber-dev_*.deb .
    rm libphonenumber-dev_*.deb
  )
}

# install_to_build PACKAGE…: what the build needs, and these.
install_to_build() {
  install_missing "${build_packages[@]}" "$@"
  unpack_headers
}

# configure PRESET: only the first time; the build itself notices a changed CMakeLists.txt.
configure() {
  [[ -f build/$1/build.ninja ]] || cmake --preset "$1"
}

# build PRESET [TARGET…]: builds what changed.
build() {
  local preset=$1
  shift
  configure "$preset"
  cmake --build "build/$preset" "-j$(nproc)" ${1:+--target "$@"}
}

# run_tests PRESET [CTEST ARGUMENT…]: PostgreSQL is started and stopped by ctest itself.
run_tests() {
  local preset=$1
  shift
  ctest --test-dir "build/$preset" --output-on-failure -j2 "$@"
}

# Every source file of our own, NUL between them.
own_sources() {
  find . \( -path ./build -o -name node_modules -o -path './.*' \) -prune -o \
    \( -name '*.cpp' -o -name '*.hpp' \) -type f -print0
}
