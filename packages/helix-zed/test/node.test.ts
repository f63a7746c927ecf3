import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WireError } from "@editwire/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createHelixZedAgent,
  type HelixZedAgent,
  type HelixZedProfile,
  helixZedProfiles,
  responseOf,
} from "../src/index.js";
import type { HelixZedConnectionState } from "../src/agent/api.js";
import { dialHelixZed, type HelixZedDialOptions, listenHelixZed, type HelixZedListenOptions } from "../src/node.js";
import { helixZedPair } from "../src/testing.js";
import { start } from "./support/agents.js";
import { startHost } from "./support/hosts.js";
import { deferred, dialRaw, type RawSocket } from "../../transport/test/raw-socket.js";
import { chat } from "./support/chat.js";

const echo: HelixZedAgent = { prompt: (turn) => turn.text(`You said: ${turn.promptText}`) };

/** A host of `listenHelixZed`. It is closed when the test ends. */
async function listen(options: HelixZedListenOptions = {}) {
  const host = await listenHelixZed({ onError() {}, ...options });
  onTestFinished(() => host.close());
  return host;
}

/** Dials until the agent is refused; what it said of its connection, and its errors. */
async function refused(options: Partial<HelixZedDialOptions> & { url: string }) {
  const states: HelixZedConnectionState[] = [];
  const errors: unknown[] = [];
  const isOver = deferred();
  const agent = dialHelixZed(echo, {
    sessionId: "ses_1",
    reconnect: { minMs: 1, maxMs: 1 },
    onError: (error) => void errors.push(error),
    onConnection(state) {
      states.push(state);
      if (!state.connected && state.retryMs === Infinity) isOver.resolve();
    },
    ...options,
  });
  onTestFinished(() => agent.close());
  await isOver.promise;
  return { agent, states, errors };
}

describe("a host that refuses an agent", () => {
  it.each([
    ["a wrong token", { token: "other" }, {}, 401, "set the option `token` to the host's token"],
    ["no token", {}, {}, 401, "set the option `token` to the host's token"],
    ["a foreign name", { token: "s3cret" }, { hosts: ["host.example"] }, 403, "the host's option `hosts`"],
  ])(
    "because of %s is not dialed again, and onError gets one error with the fix",
    async (_name, dial, more, status, fix) => {
      const host = await listen({ token: "s3cret", ...more });
      const { agent, states, errors } = await refused({ url: host.url, ...dial });
      expect(errors).toEqual([expect.objectContaining({ code: "not_connected", data: { status } })]);
      expect((errors[0] as Error).message).toContain(fix);
      expect(states).toEqual([{ connected: false, reason: errors[0], retryMs: Infinity }]);
      expect(agent.connected).toBe(false);
      await agent.close();
    },
  );

  it("is not dialed again, however long the agent lives", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const dial = vi.fn(() => Promise.reject(new WireError("not_connected", "refused", { data: { status: 401 } })));
    const agent = createHelixZedAgent(echo, { dial, sessionId: "s", onError() {} });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(dial).toHaveBeenCalledOnce();
    await agent.close();
  });

  it.each([409, 429, 503])("with the status %i is dialed again", async (status) => {
    let dials = 0;
    const enough = deferred();
    const server = createServer().on("upgrade", (_request, socket) => {
      socket.end(`HTTP/1.1 ${status} Not Now\r\nConnection: close\r\n\r\n`);
      if (++dials === 3) enough.resolve();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const url = `ws://127.0.0.1:${port}`;
    const agent = dialHelixZed(echo, { url, sessionId: "s", reconnect: { minMs: 1, maxMs: 1 }, onError() {} });
    await enough.promise;
    await agent.close();
    expect(dials).toBe(3);
  });
});

describe("path", () => {
  it("is where the host takes agents and where they dial, behind the path of the URL", async () => {
    const { host, port, event } = await startHost({ path: "/agents/v2" });
    await expect(dialRaw(`ws://127.0.0.1:${port}/api/v1/external-agents/sync?session_id=s`)).rejects.toThrow("418");
    const connected = event("connected");
    const agent = dialHelixZed(echo, { url: `ws://127.0.0.1:${port}/agents/`, path: "/v2", sessionId: "ses_1" });
    onTestFinished(() => agent.close());
    expect(await connected).toEqual({ type: "connected", agentId: "ses_1" });
    expect(responseOf(await (await host.session("ses_1")).prompt("Hello").interaction)).toBe("You said: Hello");
  });

  it("may be the end of the URL already", async () => {
    const { port, event } = await startHost({ path: "/agents/v2" });
    const connected = event("connected");
    const agent = dialHelixZed(echo, { url: `http://127.0.0.1:${port}/agents/v2`, path: "/v2", sessionId: "ses_1" });
    onTestFinished(() => agent.close());
    expect(await connected).toEqual({ type: "connected", agentId: "ses_1" });
  });

  it("of an agent follows the path of the URL", async () => {
    const { raw } = await start(echo, { path: "/sync" });
    expect(raw.requests[0]?.url).toMatch(/^\/sync\?session_id=ses_1&instance=/);
  });
});

describe("listenHelixZed", () => {
  it("serves agents of this machine on a free port, and answers other requests with 404", async () => {
    const host = await listen();
    expect(host.url).toBe(`ws://127.0.0.1:${host.port}`);
    const agent = dialHelixZed(echo, { url: host.url, sessionId: "ses_1" });
    onTestFinished(() => agent.close());
    const session = await host.session("ses_1");
    expect(responseOf(await session.prompt("Hello").interaction)).toBe("You said: Hello");
    expect((await fetch(`http://127.0.0.1:${host.port}/`)).status).toBe(404);
    await expect(dialRaw(`${host.url}/elsewhere?session_id=s`)).rejects.toThrow("404");
  });

  it("refuses the name of another machine, as a page that was rebound to this one sends it", async () => {
    const host = await listen();
    const url = `${host.url}/api/v1/external-agents/sync?session_id=s`;
    await expect(dialRaw(url, { host: "evil.example" })).rejects.toThrow("403");
    await (await dialRaw(url, { host: "localhost" })).settled();
  });

  it("rejects an address that other machines reach, unless there is a token or authenticate", async () => {
    await expect(listenHelixZed({ host: "0.0.0.0" })).rejects.toThrow(
      new TypeError("listenHelixZed: expected a token or authenticate: other machines can reach 0.0.0.0"),
    );
    await listen({ host: "0.0.0.0", token: "s3cret" });
  });

  it("lets authenticate decide who connects, for agents on other machines too", async () => {
    const known = "Bearer alice";
    const host = await listen({
      host: "0.0.0.0",
      authenticate: ({ headers }) => (headers.get("authorization") === known ? "alice" : undefined),
    });
    const url = `ws://127.0.0.1:${host.port}`;
    const { errors } = await refused({ url, token: "mallory" });
    expect(errors).toEqual([expect.objectContaining({ code: "not_connected", data: { status: 401 } })]);
    const raw = await dialRaw(`${url}/api/v1/external-agents/sync?session_id=s`, { authorization: known });
    await raw.settled();
  });

  it("ties credentials to session ids where authenticate looks at both", async () => {
    const sessions: Readonly<Record<string, string>> = { "Bearer alice": "ses_a", "Bearer bob": "ses_b" };
    const host = await listen({
      authenticate({ headers, path }) {
        const session = sessions[headers.get("authorization") ?? ""];
        return session !== undefined && new URL(path, "ws://host").searchParams.get("session_id") === session
          ? session
          : undefined;
      },
    });
    const dial = (sessionId: string, token: string): Promise<RawSocket> =>
      dialRaw(`ws://127.0.0.1:${host.port}/api/v1/external-agents/sync?session_id=${sessionId}`, {
        authorization: `Bearer ${token}`,
      });
    await (await dial("ses_a", "alice")).settled();
    await (await dial("ses_b", "bob")).settled();
    await expect(dial("ses_b", "alice")).rejects.toThrow("401");
    await expect(dial("ses_b&session_id=ses_a", "alice")).rejects.toThrow("401");
  });

  it("rejects a port that is taken", async () => {
    const { port } = await listen();
    await expect(listenHelixZed({ port })).rejects.toMatchObject({ code: "not_connected" });
  });

  it("closes its port and its connections", async () => {
    const host = await listenHelixZed();
    const raw = await dialRaw(`${host.url}/api/v1/external-agents/sync?session_id=s`);
    await host.close();
    await raw.closed;
    await expect(fetch(`http://127.0.0.1:${host.port}/`)).rejects.toThrow();
  });
});

describe("a copied profile", () => {
  const messagesOf = async (profile: HelixZedProfile): Promise<string[]> => {
    const sent: string[] = [];
    const onWire = (direction: string, message: unknown): void => {
      if (direction === "out") sent.push(shapeOf(message));
    };
    const pair = helixZedPair(
      {
        async prompt(turn) {
          turn.toolCall({ title: "read", status: "completed" });
          if (turn.promptText === "fail") throw new Error("no");
          await turn.text("done");
        },
        newThread: () => "t",
      },
      { host: { profile, onWire, onError() {} }, agent: { profile, onWire, flushMs: 0, onError() {} } },
    );
    const session = await pair.host.session("ses_1");
    await session.prompt("Hello", { requestId: "r1" }).stopReason;
    await session.prompt("fail", { requestId: "r2" }).stopReason;
    await pair.close();
    return sent;
  };

  it.each(["spec", "v2026"] as const)("of %s makes both sides behave as the original does", async (name) => {
    const original = helixZedProfiles[name];
    const sent = await messagesOf(original);
    expect(await messagesOf({ ...original, name: "mine" })).toEqual(sent);
    expect(sent.some((one) => one.startsWith("message_completed"))).toBe(true);
    expect(sent.some((one) => one.startsWith("chat_response_error"))).toBe(name === "v2026");
  });

  it("of spec refuses what spec refuses", async () => {
    const { host } = await start(echo, { profile: { ...helixZedProfiles.spec, name: "mine" }, strict: true });
    host.send(chat("r1"));
    expect((await host.next()).event_type).toBe("context_created");
    const pair = helixZedPair(echo, { host: { profile: { ...helixZedProfiles.spec, name: "mine" } } });
    const session = await pair.host.session("ses_1");
    expect(() => session.prompt("x", { interrupt: true })).toThrow("interrupt: this profile does not have the field");
    await pair.close();
  });
});

/** The name and the fields of a message. */
function shapeOf(message: unknown): string {
  const { type, event_type, data } = message as {
    type?: string;
    event_type?: string;
    data: object;
  };
  return `${type ?? event_type} ${Object.keys(data).sort().join()}`;
}
