#!/usr/bin/env bash
# Makes sure that the test of the VS Code extension finds code-server, which is VS Code for a browser: installs it from
# npm into .cache, and compiles the one native module that output channels need. It never fails: without code-server
# that test is skipped.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 0
version=4.100.3 # the last one that Node 20 runs
folder=.cache/code-server
install() {
  rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" || return 1
  npm init -y >/dev/null || return 1
  npm install --ignore-scripts --no-audit --no-fund "code-server@$version" >/dev/null 2>&1 || return 1
  cd node_modules/code-server/lib/vscode || return 1
  npm install --omit=dev --ignore-scripts --no-audit --no-fund >/dev/null 2>&1 || return 1
  npm rebuild @vscode/spdlog --foreground-scripts >/dev/null 2>&1 || return 1
  cd - >/dev/null || return 1
  # argon2 hashes passwords. The test has none.
  echo "module.exports = {};" >node_modules/argon2/argon2.js
  touch installed
}
if [ ! -f "$folder/installed" ] && ! (install); then
  echo "no code-server: npm could not install version $version (it needs a C++ compiler)"
  exit 0
fi
echo "$folder/node_modules/code-server/out/node/entry.js"
