import { join } from "node:path";
import { ecaProfiles } from "@editwire/eca-schema";
import { inMemory } from "../../test/fixtures/clients/eca-in-memory.js";
import { eca, launchTarget, stdioTarget, unixTarget } from "../../src/index.js";
import { bundle } from "../../../scripts/testing/bundle.js";
import { type Judged, opens, repeatedRuns } from "./judged.js";
import { listening } from "./listening.js";
import { inPython, withoutPython as skip } from "./python.js";

/** ECA: our own peers, and two small ones in Python. */
export async function ecaTargets(home: string): Promise<Judged[]> {
  const programs = await bundle(import.meta.url, {
    server: "../../test/fixtures/agents/eca-editwire.ts",
    client: "../../test/fixtures/clients/eca-editwire.ts",
  });
  const ourServer = [process.execPath, programs.server];
  const server = { protocol: eca, role: "server", options: { behaviors: "commands" } } as const;
  const client = { protocol: eca, role: "client" } as const;
  const ours = { ...client, baseline: "eca-client-editwire.yaml" } as const;
  const steered = (command: readonly string[]): Judged["open"] =>
    opens(launchTarget({ argv: command, control: "lines" }));
  return [
    { ...server, name: "our server, stdio", open: opens(stdioTarget({ argv: ourServer })) },
    // Repeated where a case does not cost a process.
    {
      ...server,
      name: "our server, socket",
      runs: repeatedRuns,
      open: () => listening([...ourServer, "--socket", join(home, "eca.sock")], unixTarget),
    },
    { ...ours, name: "our client, stdio", open: steered([process.execPath, programs.client]) },
    { ...ours, name: "our client, in memory", runs: repeatedRuns, open: opens(inMemory()) },
    {
      ...server,
      name: "a server in Python",
      baseline: "eca-server-python.yaml",
      skip,
      open: opens(stdioTarget({ argv: inPython("eca-server") })),
    },
    {
      ...server,
      name: "our server, the 2026 dialect",
      options: {
        ...server.options,
        profile: "v2026",
        filter: ["eca.server.v2026.*", "eca.server.tool.*", "eca.server.chat.new"],
      },
      open: opens(stdioTarget({ argv: [...ourServer, "--v2026"] })),
    },
    {
      ...ours,
      name: "our client, the 2026 dialect",
      options: { profile: "v2026" },
      open: opens(inMemory(ecaProfiles.v2026)),
    },
    {
      ...client,
      name: "a client in Python",
      baseline: "eca-client-python.yaml",
      skip,
      open: steered(inPython("eca-client")),
    },
  ];
}
