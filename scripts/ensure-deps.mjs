// Installs the workspace when it is absent or older than the lockfile, so that every root script works on a fresh
// clone.
import { spawnSync } from "node:child_process";
import { statSync, utimesSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const installed = `${root}node_modules/.modules.yaml`;
const age = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (age(installed) < age(`${root}pnpm-lock.yaml`)) {
  process.stderr.write("Installing dependencies (once) …\n");
  const { status, stdout, stderr, error } = spawnSync("npm", ["run", "--silent", "setup"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    encoding: "utf8",
  });
  if (status !== 0) {
    process.stderr.write(
      `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}\nThe install failed. "npm run setup" tries again.\n`,
    );
    process.exit(1);
  }
  const now = new Date();
  utimesSync(installed, now, now);
}
