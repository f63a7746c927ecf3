import { existsSync } from "node:fs";

const candidates = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Where Chromium is. Undefined when there is none; one line on stderr then names the tests that are skipped. */
export function findChromium(tests: string): string | undefined {
  const found = candidates.find((path) => path !== undefined && path !== "" && existsSync(path));
  if (found === undefined)
    process.stderr.write(`skipping ${tests}: no Chromium; scripts/ensure-chromium.sh installs one\n`);
  return found;
}

/** The flags of a browser that only shows what a test gives it. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
