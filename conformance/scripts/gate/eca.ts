import { join } from "node:path";
import { inMemory } from "../../test/fixtures/clients/eca-in-memory.js";
import { launchTarget, stdioTarget, unixTarget } from "../../src/index.js";
import type { bundleFixtures } from "./bundle-fixtures.js";
import { type Judged, opens } from "./judged.js";
import { listening } from "./listening.js";
import { inPython, withoutPython as skip } from "./python.js";

/** The programs that are bundled for it, by their paths from `test/fixtures`. */
export const ecaPrograms = ["agents/eca-editwire", "clients/eca-editwire"];

const RUNS = 3;

/** ECA: our own peers, and two small ones in Python. */
export function ecaTargets({ argv }: Awaited<ReturnType<typeof bundleFixtures>>, home: string): Judged[] {
  const server = { protocol: "eca", role: "server", options: { behaviours: "commands" } } as const;
  const client = { protocol: "eca", role: "client" } as const;
  const steered = (command: readonly string[]): Judged["open"] => opens(launchTarget({ argv: command, control: "lines" }));
  return [
    { ...server, name: "our server, stdio", open: opens(stdioTarget({ argv: argv("agents/eca-editwire") })) },
    // Three times where a case does not cost a process.
    { ...server, name: "our server, socket", runs: RUNS, open: () => listening([...argv("agents/eca-editwire"), "--socket", join(home, "eca.sock")], unixTarget) },
    { ...client, name: "our client, stdio", open: steered(argv("clients/eca-editwire")) },
    { ...client, name: "our client, in memory", runs: RUNS, open: opens(inMemory()) },
    { ...server, name: "a server in Python", baseline: "eca-server-python.yaml", skip, open: opens(stdioTarget({ argv: inPython("eca-server") })) },
    { ...client, name: "a client in Python", baseline: "eca-client-python.yaml", skip, open: steered(inPython("eca-client")) },
  ];
}
