// Runs a TypeScript file of this workspace from source: node scripts/run.mjs FILE [ARG…]
import { spawn } from "node:child_process";

const child = spawn(process.execPath, ["--import", "tsx", "--conditions=@editwire/source", ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {}); // the child is in the same group and decides itself
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
