import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import {
  type AcpAgent,
  type AcpAgentOptions,
  type AcpClientOptions,
  type AcpProfile,
  acpProfiles,
  connectAcp,
  type Diagnostic,
  serveAcp,
} from "../src/index.js";
import { acpPair } from "../src/testing.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

const server = { name: "files", command: "/bin/files", args: [], env: [] };
const block = { type: "text" as const, text: "out" };
const wrapped = [{ type: "content" as const, content: block }];

/** The tool output that the agent writes to a client that opens its session so, and its reports. */
async function outputFor(
  initialize: object,
  mcpServers: readonly object[],
  options: AcpAgentOptions = {},
): Promise<{ content: unknown; dialects: string[]; unknownSession: number | undefined }> {
  const dialects: string[] = [];
  const onDiagnostic = ({ id, message }: Diagnostic): void => void (id === "dialect" && dialects.push(message));
  const [left, right] = memoryPair();
  serveAcp(
    left,
    { prompt: async (turn) => (await turn.toolCall({ title: "t" })).complete({ content: wrapped }) },
    { onDiagnostic, ...options },
  );
  const client = new RawPeer(right);
  await client.call("initialize", { protocolVersion: 1, ...initialize });
  const { result } = await client.call("session/new", { cwd: "/a", mcpServers });
  const { sessionId } = result as { sessionId: string };
  await client.call("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
  const { error } = await client.call("session/prompt", { sessionId: "none", prompt: [] });
  const last = client.received.findLast(({ method }) => method === "session/update");
  const update = last?.params?.["update"] as { content?: unknown } | undefined;
  return { content: update?.content, dialects, unknownSession: error?.code };
}

describe("an agent finds out the dialect of its client", () => {
  it.each([
    ["that indicates nothing", {}, [], "v1", "nothing indicates another dialect"],
    ["that writes a server on stdio with its type", {}, [{ ...server, type: "stdio" }], "spec", 'type: "stdio"'],
    ["that writes one without", {}, [server], "v1", "without a type"],
    [
      "with official capabilities, whatever its servers look like",
      { clientCapabilities: { fs: { readTextFile: true } } },
      [{ ...server, type: "stdio" }],
      "v1",
      "capabilities",
    ],
  ] as const)("%s", async (_name, initialize, servers, dialect, reason) => {
    const { content, dialects, unknownSession } = await outputFor(initialize, servers);
    expect(content).toEqual(dialect === "v1" ? wrapped : [block]);
    expect(unknownSession).toBe(dialect === "v1" ? -32002 : -32602);
    expect(dialects).toEqual([expect.stringContaining(`the peer speaks the dialect "${dialect}": `)]);
    expect(dialects[0]).toContain(reason);
  });

  it("unless the author names it", async () => {
    const { content, dialects } = await outputFor({}, [server], { profile: acpProfiles.spec });
    expect(content).toEqual([block]);
    expect(dialects).toEqual([]);
  });
});

async function open(options: AcpClientOptions): Promise<{ agent: RawPeer; server: unknown; output: unknown }> {
  const [left, right] = memoryPair();
  const agent = new RawPeer(right);
  const answer = async (method: string, result: unknown): Promise<Record<string, unknown> | undefined> => {
    const { id, params } = await agent.take(method);
    agent.send({ jsonrpc: "2.0", id, result });
    return params;
  };
  const connecting = connectAcp(left, options);
  await answer("initialize", { protocolVersion: 1 });
  const client = await connecting;
  const opening = client.newSession({ cwd: "/a", mcpServers: [{ ...server, type: "stdio" }] });
  const params = await answer("session/new", { sessionId: "s1" });
  const servers = params?.["mcpServers"] as unknown[] | undefined;
  const turn = (await opening).prompt("x");
  const { id } = await agent.take("session/prompt");
  const update = { sessionUpdate: "tool_call", toolCallId: "c", title: "t", status: "in_progress", content: [block] };
  agent.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
  agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  let output: unknown;
  for await (const event of turn) if (event.type === "tool_call") output = event.toolCall.content;
  return { agent, server: servers?.[0], output };
}

describe("a client finds out the dialect of its agent", () => {
  it("by bare tool output, and writes the official one before", async () => {
    const diagnostics: string[] = [];
    const { server: written, output } = await open({ onDiagnostic: ({ id }) => void diagnostics.push(id) });
    expect(written).toEqual(server);
    expect(output).toEqual(wrapped);
    expect(diagnostics).toEqual(["dialect"]);
  });

  it("in strict mode, too", async () => {
    expect((await open({ strict: true })).output).toEqual(wrapped);
  });
});

it("an agent does not send what the dialect of its client lacks, and reports it", async () => {
  const skipped: (string | undefined)[] = [];
  const usage = { used: 1, size: 2, cost: undefined };
  const agent: AcpAgent = {
    configOptions: [{ id: "search", name: "Search", type: "select", currentValue: "on", options: [] }],
    async prompt(turn) {
      await turn.usage(usage);
      await turn.update({ sessionUpdate: "session_info_update", title: "T" });
      await turn.text("said");
    },
  };
  const eventsIn = async (profile: AcpProfile): Promise<string[]> => {
    const { client } = await acpPair(agent, {
      client: { profile },
      agent: {
        profile,
        onDiagnostic: ({ id, message }) => void (id === "missing-update" && skipped.push(message.split(" ")[0])),
      },
    });
    const session = await client.newSession({ cwd: "/a" });
    const types: string[] = [String(session.configOptions.length)];
    for await (const { type } of session.prompt("x")) types.push(type);
    return types;
  };
  expect(await eventsIn(acpProfiles.spec)).toEqual(["0", "text", "stop"]);
  expect(skipped).toEqual(["usage_update", "session_info_update"]);
  expect(await eventsIn(acpProfiles.v1)).toEqual(["1", "usage", "info", "text", "stop"]);
});
