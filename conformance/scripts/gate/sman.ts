import { bundle } from "../../../scripts/testing/bundle.js";
import { launchTarget, servedTarget, sman, wsSeat } from "../../src/index.js";
import { openWsReference } from "../../src/mutants/ws-references.js";
import { listenBackend } from "../../test/fixtures/backends/sman-steered.js";
import { type Judged, opens } from "./judged.js";
import { inPython, withoutPython as skip } from "./python.js";

const RUNS = 3;
const tools = new URL("../../../packages/ide-tools/src/", import.meta.url);
const fixtures = new URL("../../test/fixtures/", import.meta.url);

/**
 * Our own peers as programs. The plugin is put into the package of its tools, with their workers beside it: there it
 * finds the parsers.
 */
async function programs(): Promise<{ readonly plugin: string; readonly backend: string }> {
  const names = ["call-chain/index-worker", "grep/scan-worker"];
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
  const dials = (command: readonly string[]): Judged["open"] => opens(launchTarget({ argv: command, seat: wsSeat() }));
  const listens = (command: readonly string[]): Judged["open"] => opens(servedTarget({ argv: command, paths }));
  return [
    // Three times where a case does not cost a process.
    {
      ...backend,
      name: "our backend",
      runs: RUNS,
      open: () => openWsReference({ listen: listenOurs }, paths, undefined),
    },
    { ...backend, name: "our backend, a process", open: listens([process.execPath, ours.backend]) },
    { ...plugin, name: "our plugin, a process", open: dials([process.execPath, ours.plugin]) },
    { ...backend, name: "a backend in Python", skip, open: listens(inPython("sman-backend")) },
    { ...plugin, name: "a plugin in Python", skip, open: dials(inPython("sman-plugin")) },
  ];
}

/** Our backend in this process. */
async function listenOurs() {
  const { ready, close, ...control } = await listenBackend();
  return { ...ready, control, close };
}
