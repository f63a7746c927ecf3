import { rewriteContent } from "./mutants/rewrite-content.js";
import { join } from "node:path";
import { packageRoot } from "../../core/registry/package-root.js";
import type { ConformanceProtocol } from "../../core/protocol.js";
import { readRegistry, type Registry } from "../../core/registry/registry.js";
import { readVectors, type Vector } from "../../core/vector.js";
import { readFixtures } from "../../generate/fixtures.js";
import { vectorsOf } from "../../generate/vectors.js";
import { accept } from "./accept.js";
import { behaviors } from "./behaviors.js";
import { clientCases } from "./cases/client/all.js";
import { serverCases } from "./cases/server/all.js";
import { clientRole } from "./client-role.js";
import { envelope } from "./envelope.js";
import { ecaMonitors, schemaRequirement as requirement } from "./monitors/all.js";
import { clientMutants } from "./mutants/client.js";
import { declaredRequirements } from "./mutants/declared.js";
import { serverMutants } from "./mutants/server.js";
import { v2026Clients, v2026Servers } from "./mutants/v2026.js";
import { profiles } from "./profiles.js";
import { referenceClient } from "./reference/client.js";
import { rightClient } from "./reference/client-behavior.js";
import { referenceServer } from "./reference/server.js";
import { rightServer } from "./reference/server-behavior.js";
import { v2026Client, v2026Server } from "./reference/v2026.js";
import { serverRole } from "./server-role.js";
import { encode } from "./samples.js";
import { table } from "./table.js";
import { remade } from "../../packs/remade.js";

let registry: Registry | undefined;
let vectors: readonly Vector[] | undefined;
const here = (): string => join(packageRoot(), "src/protocols/eca");
const base = { name: "eca", title: "ECA", table, accept };

/** ECA, as specs/eca.md has it. */
export const eca: ConformanceProtocol = {
  ...base,
  envelope,
  roles: { server: serverRole, client: clientRole },
  profiles,
  framing: "header",
  behaviors,
  registry: () =>
    (registry ??= readRegistry(join(here(), "registry"), join(packageRoot(), "specs/eca.md"), declaredRequirements)),
  cases: [...serverCases, ...clientCases],
  monitors: ecaMonitors(base),
  vectors: () =>
    (vectors ??= [
      ...vectorsOf({ table, accept, fixtures: readFixtures("@editwire/eca-schema"), requirement, encode }),
      ...readVectors(join(here(), "vectors")),
    ]),
  reference: {
    server: {
      behavior: rightServer,
      profiles: { v2026: v2026Server },
      rewrites: { contents: rewriteContent },
      serve: (patch) => referenceServer(patch),
    },
    client: {
      behavior: rightClient,
      profiles: { v2026: v2026Client },
      rewrites: { initializeParams: remade(["initialize"]) },
      serve: (patch) => referenceClient(patch),
    },
  },
  mutants: [...serverMutants, ...clientMutants, ...v2026Servers, ...v2026Clients],
  fuzz: async () => (await import("./fuzz/suites.js")).ecaFuzz,
};
