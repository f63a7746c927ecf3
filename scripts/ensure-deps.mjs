// Installs the workspace when it is absent or older than the lockfile, so that every root script works on a fresh clone.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

const age = (path) => statSync(new URL(path, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (age("../node_modules/.modules.yaml") < age("../pnpm-lock.yaml")) {
  process.stderr.write("Installing dependencies (once) …\n");
  const { status } = spawnSync("npm", ["run", "--silent", "setup"], { stdio: ["ignore", "inherit", "inherit"], shell: process.platform === "win32" });
  process.exit(status ?? 1);
}
