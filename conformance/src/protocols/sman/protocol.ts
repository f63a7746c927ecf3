import { join } from "node:path";
import { packageRoot } from "../../core/registry/package-root.js";
import type { ConformanceProtocol } from "../../core/protocol.js";
import { readRegistry, type Registry } from "../../core/registry/registry.js";
import { readVectors, type Vector } from "../../core/vector.js";
import { readFixtures } from "../../generate/fixtures.js";
import { vectorsOf } from "../../generate/vectors.js";
import { accept } from "./accept.js";
import { backendRole } from "./backend-role.js";
import { backendCases } from "./cases/backend/all.js";
import { pluginCases } from "./cases/plugin/all.js";
import { envelope } from "./envelope.js";
import { schemaRequirement as requirement, smanMonitors } from "./monitors/all.js";
import { backendMutants } from "./mutants/backend.js";
import { pluginMutants } from "./mutants/plugin.js";
import { v2Backends, v2Plugins } from "./mutants/v2.js";
import { pluginRole } from "./plugin-role.js";
import { profiles } from "./profiles.js";
import { listenReferenceBackend } from "./reference/backend.js";
import { rightBackend } from "./reference/backend-behavior.js";
import { dialReferencePlugin } from "./reference/plugin.js";
import { rightPlugin } from "./reference/plugin-behavior.js";
import { v2Backend, v2Plugin } from "./reference/v2.js";
import { chatPath, projectKey } from "./samples.js";
import { table } from "./table.js";

let registry: Registry | undefined;
let vectors: readonly Vector[] | undefined;
const here = (): string => join(packageRoot(), "src/protocols/sman");
const base = { name: "sman", title: "WebSocket Tool Protocol (sman)", table, accept };

/** The WebSocket Tool Protocol, as specs/sman.md has it. */
export const sman: ConformanceProtocol = {
  ...base,
  envelope,
  roles: { backend: backendRole, plugin: pluginRole },
  profiles,
  ws: { path: chatPath, id: "sessionId", query: { projectKey } },
  behaviors: [],
  registry: () => (registry ??= readRegistry(join(here(), "registry"), join(packageRoot(), "specs/sman.md"))),
  cases: [...backendCases, ...pluginCases],
  monitors: smanMonitors(base),
  vectors: () =>
    (vectors ??= [
      ...vectorsOf({ table, accept, fixtures: readFixtures("@editwire/sman-schema"), requirement }),
      ...readVectors(join(here(), "vectors")),
    ]),
  reference: {
    backend: { behavior: rightBackend, profiles: { v2: v2Backend }, ws: { listen: listenReferenceBackend } },
    plugin: { behavior: rightPlugin, profiles: { v2: v2Plugin }, ws: { dial: dialReferencePlugin } },
  },
  mutants: [...backendMutants, ...pluginMutants, ...v2Backends, ...v2Plugins],
  fuzz: async () => (await import("./fuzz/suites.js")).smanFuzz,
};
