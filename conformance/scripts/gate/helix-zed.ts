import { findProtocol, launchTarget, servedTarget, wsSeat } from "../../src/index.js";
import { bundle } from "../../../scripts/testing/bundle.js";
import { type Judged, opens } from "./judged.js";
import { inPython, withoutPython as skip } from "./python.js";

const RUNS = 3;

/** Helix-Zed: our own peers, and two small ones in Python. Agents dial the suite; hosts say where they listen. */
export async function helixZedTargets(): Promise<Judged[]> {
  const programs = await bundle(import.meta.url, { agent: "../../test/fixtures/agents/helix-editwire.ts", host: "../../test/fixtures/hosts/helix-editwire.ts" });
  const { ws: paths } = findProtocol("helix-zed");
  const agent = { protocol: "helix-zed", role: "agent", options: { behaviours: "commands" } } as const;
  const host = { protocol: "helix-zed", role: "host" } as const;
  const dials = (command: readonly string[]): Judged["open"] => opens(launchTarget({ argv: command, seat: wsSeat() }));
  const listens = (command: readonly string[]): Judged["open"] => opens(servedTarget({ argv: command, paths }));
  return [
    { ...agent, name: "our agent", runs: RUNS, open: dials([process.execPath, programs.agent]) },
    { ...agent, name: "our agent, today's dialect", baseline: "helix-zed-agent-2026.yaml", open: dials([process.execPath, programs.agent, "2026"]) },
    { ...host, name: "our host", runs: RUNS, open: listens([process.execPath, programs.host]) },
    { ...host, name: "our host, today's dialect", open: listens([process.execPath, programs.host, "2026"]) },
    { ...agent, name: "an agent in Python", skip, open: dials(inPython("helix-agent")) },
    { ...host, name: "a host in Python", skip, open: listens(inPython("helix-host")) },
  ];
}
