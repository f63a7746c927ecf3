import { acpProfiles } from "@editwire/acp-schema";
import { isRemoteError, isWireError } from "@editwire/core";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import {
  type AcpAgent,
  type AcpAgentOptions,
  type AcpClient,
  type AcpClientOptions,
  connectAcp,
  serveAcp,
} from "../src/index.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

const profile = acpProfiles.v1;
const agentCapabilities = { sessionCapabilities: { list: {} } };
const page = { sessions: [{ sessionId: "s1", cwd: "/a", title: "One" }], nextCursor: "2" };

/** A client whose agent is played by the test. */
async function connectTo(options: AcpClientOptions): Promise<{ client: AcpClient; agent: RawPeer }> {
  const [left, right] = memoryPair();
  const agent = new RawPeer(right);
  const connecting = connectAcp(left, options);
  const { id } = await agent.take("initialize");
  agent.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentCapabilities } });
  return { client: await connecting, agent };
}

/** The raw client of an agent, and the agent's answer to `initialize`. */
async function serve(agent: Partial<AcpAgent>, options: AcpAgentOptions = { profile }) {
  const [left, right] = memoryPair();
  serveAcp(left, { prompt: async () => "end_turn", ...agent }, options);
  const client = new RawPeer(right);
  const { result } = await client.call("initialize", { protocolVersion: 1 });
  return { client, capabilities: (result as { agentCapabilities: unknown }).agentCapabilities };
}

describe("client.listSessions", () => {
  it("sends what it is given and returns the page", async () => {
    const { client, agent } = await connectTo({ profile });
    const listing = client.listSessions({ cwd: "/a", cursor: "1" });
    const { id, params } = await agent.take("session/list");
    agent.send({ jsonrpc: "2.0", id, result: { ...page, _meta: null } });
    expect(params).toEqual({ cwd: "/a", cursor: "1" });
    expect(await listing).toEqual(page);
  });

  it("sends no fields without options", async () => {
    const { client, agent } = await connectTo({ profile });
    const listing = client.listSessions();
    const { id, params } = await agent.take("session/list");
    agent.send({ jsonrpc: "2.0", id, result: { sessions: [] } });
    expect(params).toEqual({});
    expect(await listing).toEqual({ sessions: [] });
  });

  it("rejects with the agent's error, and refuses a page without a list", async () => {
    const { client, agent } = await connectTo({ profile });
    const refused = client.listSessions().catch((error: unknown) => error);
    const first = await agent.take("session/list");
    agent.send({ jsonrpc: "2.0", id: first.id, error: { code: -32601, message: "no" } });
    expect(isRemoteError(await refused, -32601)).toBe(true);

    const wrong = client.listSessions().catch((error: unknown) => error);
    const second = await agent.take("session/list");
    agent.send({ jsonrpc: "2.0", id: second.id, result: { sessions: "none" } });
    const error = await wrong;
    expect(isWireError(error, "invalid_result")).toBe(true);
    expect(String(error)).toContain("session/list: result.sessions");
  });

  it("leaves out a session that does not fit", async () => {
    const diagnostics: string[] = [];
    const { client, agent } = await connectTo({ profile, onDiagnostic: ({ id }) => void diagnostics.push(id) });
    const listing = client.listSessions();
    const { id } = await agent.take("session/list");
    const sessions = [
      { sessionId: "s1", cwd: "a" },
      { sessionId: "s2", cwd: "/b" },
    ];
    agent.send({ jsonrpc: "2.0", id, result: { sessions } });
    expect((await listing).sessions).toEqual([sessions[1]]);
    expect(diagnostics).toEqual(["session-info"]);
  });

  it("ends by its signal and after timeoutMs", async () => {
    const { client } = await connectTo({ profile });
    const controller = new AbortController();
    const aborted = client.listSessions({ signal: controller.signal }).catch((error: unknown) => error);
    controller.abort();
    expect(isWireError(await aborted, "aborted")).toBe(true);
    const late = await client.listSessions({ timeoutMs: 1 }).catch((error: unknown) => error);
    expect(isWireError(late, "timeout")).toBe(true);
  });

  it.each([
    ["a relative cwd", { profile }, { cwd: "a" }, "session/list: params.cwd"],
    [
      "the dialect of the specification",
      { profile: acpProfiles.spec },
      {},
      'session/list: the profile "spec" does not have this method',
    ],
  ])("refuses %s before anything is sent", async (_name, options, listed, message) => {
    const { client, agent } = await connectTo(options);
    const error = await client.listSessions(listed).catch((reason: unknown) => reason);
    expect(isWireError(error, "invalid_params")).toBe(true);
    expect(String(error)).toContain(message);
    expect(agent.received.map(({ method }) => method)).toEqual(["initialize"]);
  });

  it("refuses options that are not an object", async () => {
    const { client } = await connectTo({ profile });
    await expect(client.listSessions("/a" as never)).rejects.toThrow(TypeError);
  });
});

describe("the agent's listSessions", () => {
  it("V19: is advertised beside other capabilities, and answers", async () => {
    const asked: unknown[] = [];
    const { client, capabilities } = await serve({
      capabilities: { loadSession: true, sessionCapabilities: { close: {} } },
      listSessions(params, { caller }) {
        asked.push([params, caller]);
        return page;
      },
    });
    expect(capabilities).toEqual({
      loadSession: true,
      promptCapabilities: expect.anything() as object,
      sessionCapabilities: { close: {}, list: {} },
    });
    expect((await client.call("session/list", { cwd: "/a", cursor: null })).result).toEqual(page);
    expect(asked).toEqual([[{ cwd: "/a" }, undefined]]);
  });

  it("is not advertised without the handler, and the request is answered -32601", async () => {
    const { client, capabilities } = await serve({});
    expect(capabilities).not.toHaveProperty("sessionCapabilities");
    expect((await client.call("session/list", { cwd: "relative" })).error?.code).toBe(-32601);
  });

  it("is called as a method of the agent", async () => {
    const agent = {
      stored: page,
      listSessions() {
        return this.stored;
      },
    };
    const { client } = await serve(agent);
    expect((await client.call("session/list", {})).result).toEqual(page);
  });

  it("gets no params that do not fit, and what it throws stays here", async () => {
    const errors: unknown[] = [];
    const { client } = await serve(
      {
        listSessions() {
          throw new Error("the store's password");
        },
      },
      { profile, onError: (error) => errors.push(error) },
    );
    expect((await client.call("session/list", { cwd: "relative" })).error?.code).toBe(-32602);
    const { error } = await client.call("session/list", {});
    expect(error).toEqual({ code: -32603, message: "Internal error" });
    expect(errors.map(String)).toContain("Error: the store's password");
  });
});
