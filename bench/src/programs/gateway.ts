// A gateway, or the agent behind it: what it serves comes as the first argument, the agent's command after it.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { serveErrands, serveGateway } from "../contenders/gateway-ends.js";
import type { GatewaySide } from "../jobs/gateway.js";

const [side = "", ...argv] = process.argv.slice(2);
const { editor, agent, copies, samples } = JSON.parse(side) as GatewaySide;

/** Writes down the resident memory of this process, again and again. */
function sample(file: string): void {
  setInterval(() => appendFileSync(file, `${Date.now()} ${process.memoryUsage.rss()}\n`), 10).unref();
}

/** Passes on what both sides write, as it is. */
function copyBytes([command = "", ...args]: readonly string[]): void {
  const { stdin, stdout } = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  process.stdin.pipe(stdin);
  stdout.pipe(process.stdout);
}

if (samples !== undefined) sample(samples);
if (copies) copyBytes(argv);
else if (editor === undefined) serveErrands(agent);
else serveGateway(editor, agent, argv);
