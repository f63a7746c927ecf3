#!/usr/bin/env bash
# Makes sure that the tests of the HTML report, and of ACP in a page, find a Chromium: installs Debian's when there is
# none and this is root. It never fails: without a browser those tests are skipped.
set -u
for candidate in "${CHROMIUM_PATH:-}" /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome; do
  if [ -n "$candidate" ] && [ -x "$candidate" ]; then
    echo "$candidate"
    exit 0
  fi
done
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null &&
    echo "installed $(command -v chromium)" && exit 0
fi
echo "no Chromium: set CHROMIUM_PATH to run the tests in a browser"
