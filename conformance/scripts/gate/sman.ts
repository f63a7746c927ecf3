import { bundle } from "../../../scripts/testing/bundle.js";
import type { SmanBackendOptions } from "@editwire/sman";
import { launchTarget, servedTarget, sman, wsSeat } from "../../src/index.js";
import { openWsReference } from "../../src/mutants/ws-references.js";
import { listenBackend, v2 } from "../../test/fixtures/backends/sman-steered.js";
import { type Judged, opens, repeatedRuns } from "./judged.js";
import { inPython, withoutPython as skip } from "./python.js";

const tools = new URL("../../../packages/ide-tools/src/", import.meta.url);
const fixtures = new URL("../../test/fixtures/", import.meta.url);

/**
 * Our own peers as programs. The plugin is put into the package of its tools, with their workers beside it: there it
 * finds the parsers.
 */
async function programs(): Promise<{ readonly plugin: string; readonly backend: string }> {
  const names = ["call-chain/index-worker", "jobs/job-worker"];
  const workers = Object.fromEntries(names.map((name) => [name, new URL(`${name}.ts`, tools).href]));
  const [{ plugin }, { backend }] = await Promise.all([
    bundle(
      new URL("index.ts", tools).href,
      { plugin: new URL("plugins/sman-editwire.ts", fixtures).href, ...workers },
      { external: ["web-tree-sitter"] },
    ),
    bundle(import.meta.url, { backend: new URL("backends/sman-editwire.ts", fixtures).href }),
  ]);
  return { plugin, backend };
}

/** sman: our own peers. Plugins dial the suite; backends say where they listen. */
export async function smanTargets(): Promise<Judged[]> {
  const ours = await programs();
  const { ws: paths } = sman;
  const backend = { protocol: sman, role: "backend" } as const;
  const plugin = { protocol: sman, role: "plugin" } as const;
  const inV2 = { options: { profile: "v2" } };
  const dials = (command: readonly string[]): Judged["open"] => opens(launchTarget({ argv: command, seat: wsSeat() }));
  const listens = (command: readonly string[]): Judged["open"] => opens(servedTarget({ argv: command, paths }));
  return [
    // Repeated where a case does not cost a process.
    {
      ...backend,
      name: "our backend",
      runs: repeatedRuns,
      open: () => openWsReference({ listen: () => listenOurs({}) }, paths, undefined),
    },
    {
      ...backend,
      ...inV2,
      name: "our backend, 2.0",
      open: () => openWsReference({ listen: () => listenOurs(v2) }, paths, undefined),
    },
    { ...backend, name: "our backend, a process", open: listens([process.execPath, ours.backend]) },
    { ...plugin, name: "our plugin, a process", open: dials([process.execPath, ours.plugin]) },
    { ...plugin, ...inV2, name: "our plugin, 2.0", open: dials([process.execPath, ours.plugin, "--v2"]) },
    { ...backend, name: "a backend in Python", skip, open: listens(inPython("sman-backend")) },
    { ...plugin, name: "a plugin in Python", skip, open: dials(inPython("sman-plugin")) },
    {
      ...backend,
      ...inV2,
      name: "a backend in Python, 2.0",
      skip,
      open: listens([...inPython("sman-backend"), "--v2"]),
    },
    { ...plugin, ...inV2, name: "a plugin in Python, 2.0", skip, open: dials(inPython("sman-plugin")) },
  ];
}

/** Our backend in this process. */
async function listenOurs(options: SmanBackendOptions) {
  const { ready, close, ...control } = await listenBackend(options);
  return { ...ready, control, close };
}
