import { join } from "node:path";
import { packageRoot } from "../../core/registry/package-root.js";
import type { ConformanceProtocol } from "../../core/protocol.js";
import { readRegistry, type Registry } from "../../core/registry/registry.js";
import type { Vector } from "../../core/vector.js";
import { vectorsOf } from "../../generate/vectors.js";
import { accept } from "./accept.js";
import { behaviors } from "./behaviors.js";
import { clientCases } from "./cases/client/all.js";
import { serverCases } from "./cases/server/all.js";
import { clientRole } from "./client-role.js";
import { envelope } from "./envelope.js";
import { kaiakMonitors, schemaRequirement as requirement } from "./monitors/all.js";
import { clientMutants } from "./mutants/client.js";
import { serverMutants } from "./mutants/server.js";
import { referenceClient } from "./reference/client.js";
import { rightClient } from "./reference/client-behavior.js";
import { referenceServer, SharedState } from "./reference/server.js";
import { rightServer } from "./reference/server-behavior.js";
import { kaiakFixtures } from "./server-facts.js";
import { serverRole } from "./server-role.js";
import { table } from "./table.js";
import { rewriteCall } from "./mutants/rewrite-call.js";

let registry: Registry | undefined;
let vectors: readonly Vector[] | undefined;
const here = (): string => join(packageRoot(), "src/protocols/kaiak");
const base = { name: "kaiak", title: "Kaiak", table, accept };

/** Kaiak, as specs/kaiak.md has it. */
export const kaiak: ConformanceProtocol = {
  ...base,
  envelope,
  roles: { server: serverRole, client: clientRole },
  profiles: [{ name: "spec" }],
  framing: "header",
  behaviors,
  registry: () => (registry ??= readRegistry(join(here(), "registry"), join(packageRoot(), "specs/kaiak.md"))),
  cases: [...serverCases, ...clientCases],
  monitors: kaiakMonitors(base),
  vectors: () => (vectors ??= vectorsOf({ table, accept, fixtures: kaiakFixtures(), requirement })),
  reference: {
    server: {
      behavior: rightServer,
      share: () => new SharedState(),
      serve: (patch, shared) => referenceServer(patch, shared as SharedState | undefined),
    },
    client: {
      behavior: rightClient,
      rewrites: { wrap: rewriteCall },
      serve: (patch) => referenceClient(patch),
    },
  },
  mutants: [...serverMutants, ...clientMutants],
  fuzz: async () => (await import("./fuzz/suites.js")).kaiakFuzz,
};
