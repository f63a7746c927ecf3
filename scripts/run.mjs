// Runs a TypeScript file of this workspace from source: node scripts/run.mjs FILE [ARG…]
import { spawn } from "node:child_process";
import { constants } from "node:os";

const child = spawn(process.execPath, ["--import", "tsx", "--conditions=@editwire/source", ...process.argv.slice(2)], { stdio: "inherit" });
process.on("SIGINT", () => {}); // a terminal sends it to the child as well, which decides
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
