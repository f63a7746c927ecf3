import { join } from "node:path";
import { bundle } from "../../../scripts/testing/bundle.js";
import { kaiak, launchTarget, stdioTarget, unixTarget } from "../../src/index.js";
import { type Judged, opens, repeatedRuns } from "./judged.js";
import { listening } from "./listening.js";
import { inPython, withoutPython as skip } from "./python.js";

/** Kaiak: our own peers, and two small ones in Python. */
export async function kaiakTargets(home: string): Promise<Judged[]> {
  const programs = await bundle(import.meta.url, {
    server: "../../test/fixtures/agents/kaiak-editwire.ts",
    client: "../../test/fixtures/clients/kaiak-editwire.ts",
  });
  const ourServer = [process.execPath, programs.server];
  const server = { protocol: kaiak, role: "server", options: { behaviors: "commands" } } as const;
  const client = { protocol: kaiak, role: "client" } as const;
  const steered = (command: readonly string[]): Judged["open"] =>
    opens(launchTarget({ argv: command, control: "lines" }));
  return [
    { ...server, name: "our server, stdio", open: opens(stdioTarget({ argv: ourServer })) },
    // Repeated where a case does not cost a process.
    {
      ...server,
      name: "our server, socket",
      runs: repeatedRuns,
      open: () => listening([...ourServer, "--socket", join(home, "kaiak.sock")], unixTarget),
    },
    { ...client, name: "our client, stdio", open: steered([process.execPath, programs.client]) },
    { ...server, name: "a server in Python", skip, open: opens(stdioTarget({ argv: inPython("kaiak-server") })) },
    { ...client, name: "a client in Python", skip, open: steered(inPython("kaiak-client")) },
  ];
}
