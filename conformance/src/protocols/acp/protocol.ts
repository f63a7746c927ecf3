import { table } from "./table.js";
import { join } from "node:path";
import { packageRoot } from "../../core/registry/package-root.js";
import type { ConformanceProtocol } from "../../core/protocol.js";
import { readPages } from "../../core/registry/pages.js";
import { readRegistry, type Registry } from "../../core/registry/registry.js";
import { readVectors, type Vector } from "../../core/vector.js";
import { vectorsOf } from "../../generate/vectors.js";
import { jsonRpc } from "../../monitors/jsonrpc.js";
import { schemaRows, unstated } from "../../packs/schema-rows.js";
import { accept } from "./accept.js";
import { agentRole } from "./agent-role.js";
import { behaviors } from "./behaviors.js";
import { agentCases } from "./cases/agent/all.js";
import { schemaRequirement } from "./client-facts.js";
import { clientRole } from "./client-role.js";
import { clientCases } from "./cases/client/all.js";
import { acpMonitors } from "./monitors/all.js";
import { officialQuotes } from "./official-types.js";
import { profiles } from "./profiles.js";
import { agentMutants } from "./mutants/agent/all.js";
import { clientMutants } from "./mutants/client/all.js";
import { agentRewrites, clientRewrites } from "./mutants/rewrites.js";
import { referenceAgent } from "./reference/agent.js";
import { referenceClient } from "./reference/client.js";
import { rightHttp, serveHttp } from "./reference/http.js";
import { httpClientPipe, rightHttpClient } from "./reference/http-client.js";
import { v1Agent } from "./reference/v1.js";
import { v1Client } from "./reference/client-services.js";
import { rightAgent } from "./reference/agent-behavior.js";
import { rightClient } from "./reference/client-behavior.js";
import { rightStreamable, serveStreamable } from "./reference/streamable.js";
import { rightStreamableClient, streamableClientPipe } from "./reference/streamable-client.js";
import { rightWebSocket, serveWebSocket } from "./reference/web-socket.js";
import { rightWsClient, wsClientPipe } from "./reference/ws-client.js";
import { acpFixtures } from "./samples.js";

let registry: Registry | undefined;
let vectors: readonly Vector[] | undefined;
const here = (): string => join(packageRoot(), "src/protocols/acp");
const pages = (): string => join(packageRoot(), "specs/acp-v1.yaml");
const mutants = [...agentMutants, ...clientMutants];
/** How the methods bind that the specification lacks. */
const laterMethods = { level: "must", profiles: ["v1"] } as const;
const base = { name: "acp", title: "Agent Client Protocol", table, accept };

/** ACP, as specs/acp.md has it. */
export const acp: ConformanceProtocol = {
  ...base,
  envelope: jsonRpc,
  roles: { agent: agentRole, client: clientRole },
  profiles,
  http: {
    post: (clientId) => `/acp/rpc?client_id=${encodeURIComponent(clientId)}`,
    stream: (clientId) => `/acp/sse?client_id=${encodeURIComponent(clientId)}`,
  },
  streamable: { path: "/acp", connection: "Acp-Connection-Id", session: "Acp-Session-Id" },
  behaviors,
  registry: () =>
    (registry ??= readRegistry(
      join(here(), "registry"),
      join(packageRoot(), "specs/acp.md"),
      schemaRows(unstated(table), schemaRequirement, laterMethods, officialQuotes(readPages(pages(), "v1"), mutants)),
      { v1: pages() },
    )),
  cases: [...agentCases, ...clientCases],
  monitors: acpMonitors(base),
  vectors: () =>
    (vectors ??= [
      ...vectorsOf({ table, accept, fixtures: acpFixtures(), requirement: schemaRequirement }),
      ...readVectors(join(here(), "vectors")),
    ]),
  reference: {
    agent: {
      behavior: rightAgent,
      profiles: { v1: v1Agent },
      rewrites: agentRewrites,
      serve: (patch) => referenceAgent(patch),
      http: { behavior: rightHttp, serve: serveHttp },
      streamable: { profile: "v1", behavior: rightStreamable, serve: serveStreamable },
      webSocket: { behavior: rightWebSocket, serve: serveWebSocket },
      model: { behaviors: ["text", "chunks", "slow", "long"], patch: (model) => ({ model }) },
    },
    client: {
      behavior: rightClient,
      profiles: { v1: v1Client },
      rewrites: clientRewrites,
      serve: (patch) => referenceClient(patch),
      http: { behavior: rightHttpClient, pipe: httpClientPipe },
      streamable: { profile: "v1", behavior: rightStreamableClient, pipe: streamableClientPipe },
      webSocket: { behavior: rightWsClient, pipe: wsClientPipe },
    },
  },
  mutants,
  fuzz: async () => (await import("./fuzz/suites.js")).acpFuzz,
};
