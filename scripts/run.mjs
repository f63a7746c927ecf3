// Runs a TypeScript file of this workspace from source: node scripts/run.mjs FILE [ARG…]
import { spawn } from "node:child_process";
import { constants } from "node:os";

const child = spawn(
  process.execPath,
  ["--import", import.meta.resolve("tsx"), "--conditions=@editwire/source", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
process.on("SIGINT", () => {}); // the terminal sends it to the child too, which decides what it means
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
