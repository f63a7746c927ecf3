import { join } from "node:path";
import { packageRoot } from "../../core/registry/package-root.js";
import type { ConformanceProtocol } from "../../core/protocol.js";
import { readRegistry, type Registry } from "../../core/registry/registry.js";
import { readVectors, type Vector } from "../../core/vector.js";
import { readFixtures } from "../../generate/fixtures.js";
import { vectorsOf } from "../../generate/vectors.js";
import { schemaRows, unstated } from "../../packs/schema-rows.js";
import { accept } from "./accept.js";
import { agentRole } from "./agent-role.js";
import { behaviors } from "./behaviors.js";
import { agentCases } from "./cases/agent/all.js";
import { hostCases } from "./cases/host/all.js";
import { envelope } from "./envelope.js";
import { hostRole } from "./host-role.js";
import { helixMonitors, schemaRequirement as requirement } from "./monitors/all.js";
import { agentMutants } from "./mutants/agent.js";
import { hostMutants } from "./mutants/host.js";
import { listenReferenceHost } from "./reference/host.js";
import { rightHost } from "./reference/host-behavior.js";
import { dialReferenceAgent } from "./reference/agent.js";
import { rightAgent, v2026Agent } from "./reference/agent-behavior.js";
import { table } from "./table.js";

let registry: Registry | undefined;
let vectors: readonly Vector[] | undefined;
const here = (): string => join(packageRoot(), "src/protocols/helix-zed");
/** How the messages bind that the specification lacks. */
const addedMessages = { level: "should", profiles: [] } as const;
const base = { name: "helix-zed", title: "Helix-Zed", table, accept };

/** The External Agent WebSocket Protocol, as specs/helix-zed.md has it. */
export const helixZed: ConformanceProtocol = {
  ...base,
  envelope,
  roles: { agent: agentRole, host: hostRole },
  profiles: [{ name: "spec" }, { name: "v2026" }],
  ws: { path: "/api/v1/external-agents/sync", id: "session_id" },
  behaviors,
  registry: () =>
    (registry ??= readRegistry(
      join(here(), "registry"),
      join(packageRoot(), "specs/helix-zed.md"),
      schemaRows(unstated(table), requirement, addedMessages),
    )),
  cases: [...agentCases, ...hostCases],
  monitors: helixMonitors(base),
  vectors: () =>
    (vectors ??= [
      ...vectorsOf({ table, accept, fixtures: readFixtures("@editwire/helix-zed-schema"), requirement }),
      ...readVectors(join(here(), "vectors")),
    ]),
  reference: {
    agent: { behavior: rightAgent, profiles: { v2026: v2026Agent }, ws: { dial: dialReferenceAgent } },
    host: { behavior: rightHost, ws: { listen: listenReferenceHost } },
  },
  mutants: [...agentMutants, ...hostMutants],
  fuzz: async () => (await import("./fuzz/suites.js")).helixZedFuzz,
};
