// The demos: npm run demo -- [NAME] [ARG…]. Without a name, the agent fixes a failing test in the terminal.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const demos = { full: "examples/full/src/demo.ts", sman: "examples/sman/src/demo.ts" };
const [name = "", ...rest] = process.argv.slice(2);
const isNamed = Object.hasOwn(demos, name);
const program = isNamed ? demos[name] : "examples/terminal-client/src/demo.ts";
const args = isNamed ? rest : process.argv.slice(2);

const root = fileURLToPath(new URL("..", import.meta.url));
const run = fileURLToPath(new URL("run.mjs", import.meta.url));
const child = spawn(process.execPath, [run, root + program, ...args], { stdio: "inherit" });
process.on("SIGINT", () => {}); // the terminal sends it to the child too, which decides what it means
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
