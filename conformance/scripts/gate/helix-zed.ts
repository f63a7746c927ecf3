import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { bundle } from "../../../scripts/testing/bundle.js";
import { helixZed, launchTarget, servedTarget, wsSeat } from "../../src/index.js";
import { openWsReference } from "../../src/mutants/ws-references.js";
import { dialHelix } from "../../test/fixtures/agents/helix-steered.js";
import { listenHelix } from "../../test/fixtures/hosts/helix-steered.js";
import { type Judged, opens, repeatedRuns } from "./judged.js";
import { inPython, withoutPython as skip } from "./python.js";

/** Helix-Zed: our own peers, and two small ones in Python. Agents dial the suite; hosts say where they listen. */
export async function helixZedTargets(): Promise<Judged[]> {
  const programs = await bundle(import.meta.url, {
    agent: "../../test/fixtures/agents/helix-editwire.ts",
    host: "../../test/fixtures/hosts/helix-editwire.ts",
  });
  const { ws: paths } = helixZed;
  const agent = { protocol: helixZed, role: "agent", options: { behaviors: "commands" } } as const;
  const host = { protocol: helixZed, role: "host" } as const;
  const dials = (command: readonly string[]): Judged["open"] => opens(launchTarget({ argv: command, seat: wsSeat() }));
  const listens = (command: readonly string[]): Judged["open"] => opens(servedTarget({ argv: command, paths }));
  return [
    // Repeated where a case does not cost a process.
    {
      ...agent,
      name: "our agent",
      runs: repeatedRuns,
      open: () => openWsReference({ dial: dialOurs }, paths, undefined),
    },
    {
      ...agent,
      name: "our agent, a process, the 2026 dialect",
      options: { ...agent.options, profile: "v2026" },
      open: dials([process.execPath, programs.agent, "v2026"]),
    },
    {
      ...host,
      name: "our host",
      runs: repeatedRuns,
      open: () => openWsReference({ listen: listenOurs }, paths, undefined),
    },
    {
      ...host,
      name: "our host, a process, the 2026 dialect",
      options: { profile: "v2026" },
      open: listens([process.execPath, programs.host, "v2026"]),
    },
    { ...agent, name: "an agent in Python", skip, open: dials(inPython("helix-agent")) },
    { ...host, name: "a host in Python", skip, open: listens(inPython("helix-host")) },
  ];
}

/** Our agent in this process. It knows the protocol's path by itself. */
function dialOurs({ url, token }: { readonly url: string; readonly token: string }): { close(): void } {
  const { origin, searchParams } = new URL(url);
  const agent = dialHelix({
    url: origin,
    sessionId: searchParams.get("session_id") ?? "",
    token,
    profile: helixZedProfiles.spec,
  });
  return { close: () => void agent.close() };
}

/** Our host in this process. */
async function listenOurs() {
  const host = await listenHelix(helixZedProfiles.spec);
  return { ...host.ready, control: host, close: host.close };
}
