#!/usr/bin/env bash
# Makes sure that the tests in other runtimes than Node find Bun and Deno: installs both from npm into .cache. It never
# fails: without them those tests are skipped.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 0
folder=.cache/runtimes
install() {
  rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || return 1
  npm init -y >/dev/null || return 1
  npm install --no-audit --no-fund bun@1.4.5 deno@2.9.6 >/dev/null 2>&1 || return 1
  node_modules/.bin/bun --version >/dev/null && node_modules/.bin/deno --version >/dev/null || return 1
  touch installed
}
if [ ! -f "$folder/installed" ] && ! (install); then
  echo "no Bun and no Deno: npm could not install them"
  exit 0
fi
echo "$folder/node_modules/.bin"
