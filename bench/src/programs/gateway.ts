// A gateway, or the agent behind it: what it serves comes as the first argument, the agent's command after it.
import { appendFileSync } from "node:fs";
import { serveErrands, serveGateway } from "../contenders/gateway-ends.js";
import type { GatewaySide } from "../jobs/gateway.js";

const [side = "", ...argv] = process.argv.slice(2);
const { editor, agent, samples } = JSON.parse(side) as GatewaySide;

/** Writes down the resident memory of this process, again and again. */
function sample(file: string): void {
  setInterval(() => appendFileSync(file, `${Date.now()} ${process.memoryUsage.rss()}\n`), 10).unref();
}

if (samples !== undefined) sample(samples);
if (editor === undefined) serveErrands(agent);
else serveGateway(editor, agent, argv);
