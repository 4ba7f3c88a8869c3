#!/bin/sh
# Puts the misstep executable into a folder of yours, and takes it away again.
set -eu

usage() {
  cat <<'TEXT'
Usage: ./install.sh [--prefix DIR] [--from FILE | --url URL] [--sha256 HEX]
       ./install.sh --uninstall [--prefix DIR]

  --prefix DIR   folder for the executable (default: ~/.local/bin)
  --from FILE    install this built file; FILE.sha256 beside it, or --sha256, must match
  --url URL      download the file (URL.sha256 is fetched too, unless --sha256 is given)
  --sha256 HEX   checksum that the file must have
  --uninstall    remove what was installed; data stays

Without --from and --url: dist/misstep of this folder, built first where it is missing.
TEXT
}

say() { printf 'misstep: %s\n' "$*"; }
fail() {
  printf 'misstep: %s\n' "$*" >&2
  exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
prefix="${HOME:-}/.local/bin"
from=''
url=''
wanted=''
uninstall=no
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=${2:?--prefix needs a folder} && shift ;;
    --from) from=${2:?--from needs a file} && shift ;;
    --url) url=${2:?--url needs an address} && shift ;;
    --sha256) wanted=${2:?--sha256 needs a checksum} && shift ;;
    --uninstall) uninstall=yes ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done
case $prefix in
  /.local/bin) fail 'HOME is not set; name a folder with --prefix' ;;
  /*) ;;
  *) prefix=$(pwd)/$prefix ;;
esac
target=$prefix/misstep
# Remembers which folders the installation made, so that uninstalling removes those and no others.
receipt=$prefix/.misstep-installed

data_folder() { printf '%s\n' "${MISSTEP_DATA:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/misstep}"; }

if [ "$uninstall" = yes ]; then
  [ -e "$target" ] || fail "there is no $target"
  [ -e "$receipt" ] || fail "$target was not put there by this script (no $receipt); remove it by hand if you mean to"
  made=$(cat "$receipt")
  rm -f "$target" "$receipt"
  say "removed $target"
  printf '%s\n' "$made" | while IFS= read -r folder; do
    [ -n "$folder" ] && rmdir "$folder" 2>/dev/null && say "removed the empty folder $folder"
  done || true
  rm -rf "${XDG_CACHE_HOME:-${HOME:-}/.cache}/misstep"
  if [ -d "$(data_folder)" ]; then say "your data stays in $(data_folder)"; fi
  exit 0
fi

checksum_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    shasum -a 256 "$1" | cut -d ' ' -f 1
  fi
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL -o "$2" "$1"
  else
    wget -q -O "$2" "$1"
  fi || fail "could not download $1"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -n "$url" ]; then
  say "downloading $url"
  fetch "$url" "$scratch/misstep"
  [ -n "$wanted" ] || fetch "$url.sha256" "$scratch/misstep.sha256"
  from=$scratch/misstep
elif [ -z "$from" ]; then
  from=$here/dist/misstep
  if [ ! -f "$from" ]; then
    command -v npm >/dev/null 2>&1 || fail "there is no $from, and no npm to build it with"
    say 'building dist/misstep'
    (cd "$here" && npm run --silent build)
  fi
fi
[ -f "$from" ] || fail "there is no file $from"
if [ -z "$wanted" ] && [ -f "$from.sha256" ]; then wanted=$(cut -d ' ' -f 1 <"$from.sha256"); fi
[ -n "$wanted" ] || fail "there is no checksum for $from: put $from.sha256 beside it or give --sha256"
found=$(checksum_of "$from")
wanted=$(printf %s "$wanted" | tr A-F a-f)
[ "$found" = "$wanted" ] || fail "the checksum of $from is $found, not $wanted: nothing was installed"
say "checksum verified ($found)"

made=''
folder=$prefix
while [ ! -d "$folder" ]; do
  made="$made$folder
"
  folder=$(dirname "$folder")
done
mkdir -p "$prefix"
[ -e "$receipt" ] && made=$(cat "$receipt")
# Written beside the target and moved over it: a running misstep keeps its file, and nobody meets half of one.
cp "$from" "$target.new"
chmod 755 "$target.new"
version=$("$target.new" --version) || {
  rm -f "$target.new"
  fail "$from does not run on this machine: nothing was installed"
}
mv -f "$target.new" "$target"
printf '%s' "$made" >"$receipt"
say "installed $target ($version)"
case ":${PATH:-}:" in
  *":$prefix:"*) say 'try: misstep demo' ;;
  *) say "$prefix is not on your PATH; add it, or call $target demo" ;;
esac
