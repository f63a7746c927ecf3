import {
  client,
  type ClientContext,
  methods,
  PROTOCOL_VERSION,
  type SessionNotification,
  type Stream,
} from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream, type WebSocketConstructor } from "@agentclientprotocol/sdk/experimental/ws-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { AcpAgent } from "../src/index.js";
import { type AcpListenOptions, listenAcp } from "../src/node.js";

const headers = { authorization: "Bearer s3cret" };
const transports: readonly [string, (url: string) => Stream][] = [
  ["Streamable HTTP", (url) => createHttpStream(`${url}/acp`, { headers })],
  [
    "WebSocket",
    (url) =>
      createWebSocketStream(`${url.replace("http", "ws")}/acp`, {
        headers,
        WebSocket: WebSocket as unknown as WebSocketConstructor,
      }),
  ],
];

/** Its prompt says what to do: echo the text in two pieces, or "permission", "wait", "fail". */
const agent: AcpAgent = {
  info: { name: "ours", version: "1.0.0" },
  replaysOnLoad: true,
  capabilities: { loadSession: true },
  async prompt(turn) {
    switch (turn.promptText) {
      case "permission": {
        const call = await turn.toolCall({ title: "Delete", kind: "delete" });
        const { allowed } = await turn.requestPermission(call);
        await call.complete();
        return void turn.text(allowed ? "deleted" : "kept");
      }
      case "wait":
        await turn.text("waiting");
        return new Promise(() => {});
      case "fail":
        throw new Error("a secret of the agent");
      default:
        await turn.text(turn.promptText.slice(0, 2));
        await turn.text(turn.promptText.slice(2));
    }
  },
};

async function serve(options: AcpListenOptions = {}): Promise<string> {
  const listener = await listenAcp(agent, {
    token: "s3cret",
    cancelGraceMs: 20,
    closeTimeoutMs: 20,
    onError: () => {},
    ...options,
  });
  onTestFinished(() => listener.close());
  return listener.url;
}

/** A client of the official SDK. */
interface Official {
  readonly agent: ClientContext;
  readonly closed: Promise<unknown>;
  close(): void;
  /** The texts of a session, in order. */
  saidIn(sessionId: string): string;
  /** Resolves at the first update of a session. */
  firstUpdate(sessionId: string): Promise<void>;
  newSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<{ stopReason: string }>;
}

async function connect(stream: Stream): Promise<Official> {
  const updates: SessionNotification[] = [];
  const looks = new Set<() => void>();
  const connection = client({ name: "official" })
    .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => ({
      outcome: { outcome: "selected", optionId: options.find(({ kind }) => kind === "allow_once")?.optionId ?? "" },
    }))
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params);
      for (const look of looks) look();
    })
    .connect(stream);
  onTestFinished(() => connection.close());
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  const of = (sessionId: string): SessionNotification[] => updates.filter((update) => update.sessionId === sessionId);
  return {
    agent,
    closed: connection.closed,
    close: () => connection.close(),
    saidIn: (sessionId) =>
      of(sessionId)
        .map(({ update }) => ("content" in update ? (update.content as { text?: string }).text : update.sessionUpdate))
        .join("|"),
    firstUpdate: (sessionId) =>
      new Promise((resolve) => {
        const look = (): void => (of(sessionId).length > 0 ? resolve() : undefined);
        looks.add(look);
        look();
      }),
    newSession: async () =>
      (await agent.request(methods.agent.session.new, { cwd: "/work", mcpServers: [] })).sessionId,
    prompt: (sessionId, text) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] }),
  };
}

describe.each(transports)("the official SDK's client, our agent, over %s", (_name, open) => {
  it("streams a turn, and asks for permission", async () => {
    const official = await connect(open(await serve()));
    const sessionId = await official.newSession();
    expect(await official.prompt(sessionId, "Hello")).toEqual({ stopReason: "end_turn" });
    expect(official.saidIn(sessionId)).toBe("He|llo");
    expect(await official.prompt(sessionId, "permission")).toEqual({ stopReason: "end_turn" });
    expect(official.saidIn(sessionId)).toBe("He|llo|tool_call|tool_call_update|deleted");
  });

  it("runs two sessions at once, and cancels one", async () => {
    const official = await connect(open(await serve()));
    const [one, two] = [await official.newSession(), await official.newSession()];
    const waiting = official.prompt(one, "wait");
    await official.firstUpdate(one);
    expect(await official.prompt(two, "Hello")).toEqual({ stopReason: "end_turn" });
    await official.agent.notify(methods.agent.session.cancel, { sessionId: one });
    expect(await waiting).toEqual({ stopReason: "cancelled" });
    expect([official.saidIn(one), official.saidIn(two)]).toEqual(["waiting", "He|llo"]);
  });

  it("gets errors with their codes, and none of the agent's texts", async () => {
    const official = await connect(open(await serve()));
    const sessionId = await official.newSession();
    const codeOf = (call: Promise<unknown>): Promise<unknown> =>
      call.catch(({ code, message }: { code?: number; message: string }) => [code, message.includes("secret")]);
    expect(await codeOf(official.agent.request("_vendor/unknown", {}))).toEqual([-32601, false]);
    expect(await codeOf(official.prompt("no such session", "Hello"))).toEqual([-32002, false]);
    expect(await codeOf(official.prompt(sessionId, "fail"))).toEqual([-32603, false]);
    expect(await official.prompt(sessionId, "Hello")).toEqual({ stopReason: "end_turn" });
  });

  it("loads a session on a new connection", async () => {
    const url = await serve();
    const first = await connect(open(url));
    const sessionId = await first.newSession();
    await first.prompt(sessionId, "Hello");
    first.close();
    await first.closed;
    const second = await connect(open(url));
    await second.agent.request(methods.agent.session.load, { sessionId, cwd: "/work", mcpServers: [] });
    expect(await second.prompt(sessionId, "again")).toEqual({ stopReason: "end_turn" });
    expect(second.saidIn(sessionId)).toBe("Hello|He|llo|ag|ain");
  });

  it("closes when the listener closes", async () => {
    const listener = await listenAcp(agent, { token: "s3cret", closeTimeoutMs: 20 });
    const official = await connect(open(listener.url));
    await listener.close();
    await official.closed;
  });
});
