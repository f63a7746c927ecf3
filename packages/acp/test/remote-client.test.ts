import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { agent, methods, PROTOCOL_VERSION, RequestError, type SessionNotification } from "@agentclientprotocol/sdk";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { type AcpAgent, type AcpClient, type AcpClientOptions, type AcpSession } from "../src/index.js";
import { dialAcp, listenAcp } from "../src/node.js";
import { textOf } from "./turns.js";

const cwd = "/work";

/** An agent of the official SDK, whose prompt says what to do: echo the text, or "permission", "wait", "fail". */
function officialAgent() {
  const cancels = new Map<string, () => void>();
  let sessions = 0;
  return agent({ name: "official" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: { loadSession: true },
    }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: `s${(sessions += 1)}` }))
    .onRequest(methods.agent.session.load, () => ({}))
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
      const say = (text: string): Promise<void> => {
        const update: SessionNotification["update"] = {
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text },
        };
        return client.notify(methods.client.session.update, { sessionId, update });
      };
      const text = prompt[0]?.type === "text" ? prompt[0].text : "";
      if (text === "fail") throw new RequestError(-32_002, "not here");
      await say(text);
      if (text === "wait") {
        await new Promise<void>((resolve) => cancels.set(sessionId, resolve));
        return { stopReason: "cancelled" };
      }
      if (text === "permission") {
        const { outcome } = await client.request(methods.client.session.requestPermission, {
          sessionId,
          toolCall: { toolCallId: "t1", title: "Write" },
          options: [{ optionId: "once", name: "Once", kind: "allow_once" }],
        });
        await say(outcome.outcome === "selected" ? outcome.optionId : outcome.outcome);
      }
      return { stopReason: "end_turn" };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.());
}

/** Serves it over both transports of the official SDK. */
async function serve() {
  const official = new AcpServer({ createAgent: officialAgent });
  const requests: string[] = [];
  const streams = new Map<string, ServerResponse>();
  const handler = createNodeHttpHandler(official);
  const server = createServer((request, response) => {
    const session = String(request.headers["acp-session-id"] ?? "");
    requests.push(`${request.method} ${session}`.trim());
    if (request.method === "GET") streams.set(session, response);
    handler(request, response);
  });
  const upgrade = createNodeWebSocketUpgradeHandler(official, new WebSocketServer({ noServer: true }));
  server.on("upgrade", upgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await official.close();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, streams, server };
}

type Dial = (url: string, options?: AcpClientOptions) => Promise<AcpClient>;
const dials: readonly [string, Dial][] = [
  ["Streamable HTTP", dialAcp],
  ["WebSocket", (url, options) => dialAcp(url.replace("http", "ws"), options)],
];

async function dialed(client: Promise<AcpClient>): Promise<AcpClient> {
  const dialing = await client;
  onTestFinished(() => dialing.close());
  return dialing;
}

/** Waits in a turn, and gives what ends it. */
async function waiting(session: AcpSession): Promise<{ end: Promise<string>; cancel(): Promise<unknown> }> {
  const turn = session.prompt("wait");
  const events = turn[Symbol.asyncIterator]();
  await events.next();
  return { end: turn.stopReason.catch((error: Error) => error.message), cancel: async () => turn.cancel() };
}

describe.each(dials)("our client, the official SDK's agent, over %s", (_name, dial) => {
  it("streams a turn, and is asked for permission", async () => {
    const client = await dialed(dial((await serve()).url, { permission: async () => "allow_once" }));
    const session = await client.newSession({ cwd });
    expect(await textOf(session.prompt("Hello"))).toBe("Hello|end_turn");
    expect(await textOf(session.prompt("permission"))).toBe("permissiononce|end_turn");
  });

  it("runs two sessions at once, and cancels one", async () => {
    const client = await dialed(dial((await serve()).url));
    const [one, two] = [await client.newSession({ cwd }), await client.newSession({ cwd })];
    const { end, cancel } = await waiting(one);
    expect(await textOf(two.prompt("Hello"))).toBe("Hello|end_turn");
    await cancel();
    expect(await end).toBe("cancelled");
  });

  it("gets the agent's errors, and goes on", async () => {
    const client = await dialed(dial((await serve()).url));
    const session = await client.newSession({ cwd });
    await expect(session.prompt("fail").stopReason).rejects.toMatchObject({ code: -32_002, message: "not here" });
    await client.loadSession({ sessionId: session.id, cwd });
    expect(await textOf(session.prompt("Hello"))).toBe("Hello|end_turn");
  });
});

describe("our client over Streamable HTTP", () => {
  it("V44: deletes its connection when it closes", async () => {
    const { url, requests } = await serve();
    const client = await dialAcp(url);
    const session = await client.newSession({ cwd });
    await textOf(session.prompt("Hello"));
    await client.close();
    expect(requests.toSorted()).toEqual(["DELETE", "GET", "GET s1", "POST", "POST", "POST s1"]);
  });

  it("opens a stream again that the official server ended while nothing was asked", async () => {
    const { url, server, streams } = await serve();
    const client = await dialed(dialAcp(url));
    const session = await client.newSession({ cwd });
    await textOf(session.prompt("Hello"));
    const opened = once(server, "request");
    streams.get("s1")?.destroy();
    await opened;
    expect(await textOf(session.prompt("again"))).toBe("again|end_turn");
  });

  it("closes when a stream is lost on which the official server owes an answer", async () => {
    const { url, streams } = await serve();
    const client = await dialed(dialAcp(url));
    const { end } = await waiting(await client.newSession({ cwd }));
    streams.get("s1")?.destroy();
    const message = 'the event stream "s1" was lost, and an answer may be lost with it';
    expect(await client.closed).toMatchObject({ code: "closed", message });
    expect(await end).toContain(message);
  });

  it("refuses what does not serve it", async () => {
    const other = createServer((_request, response) => response.end("<html>")).listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(dialAcp(`http://127.0.0.1:${port}`)).rejects.toThrow(
      `POST http://127.0.0.1:${port}/acp: the server's answer: the body is not JSON in UTF-8`,
    );
  });
});

describe("our client, our agent, over Streamable HTTP", () => {
  it("loses only the request whose POST is refused, as the official SDK does", async () => {
    const agent: AcpAgent = { prompt: async (turn) => void turn.text(String(turn.promptText.length)) };
    const listener = await listenAcp(agent, { maxBodyBytes: 1_000 });
    onTestFinished(() => listener.close());
    const client = await dialed(dialAcp(listener.url));
    const session = await client.newSession({ cwd });
    await expect(session.prompt("x".repeat(2_000)).stopReason).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringMatching(/^POST .*: the server answered 413 the body is larger/) as string,
      data: { status: 413 },
    });
    expect(await textOf(session.prompt("Hello"))).toBe("5|end_turn");
    expect(await textOf((await client.newSession({ cwd })).prompt("Hi"))).toBe("2|end_turn");
  });

  it("P15: misses nothing when every stream is lost in the middle of a turn", async () => {
    let goOn = (): void => {};
    const agent: AcpAgent = {
      async prompt(turn) {
        await turn.text("before ");
        await new Promise<void>((resolve) => (goOn = resolve));
        await turn.text("after");
      },
    };
    const listener = await listenAcp(agent, { closeTimeoutMs: 20 });
    onTestFinished(() => listener.close());
    const lost: AbortController[] = [];
    const client = await dialed(
      dialAcp(listener.url, {
        fetch(url, init) {
          if (init?.method === "POST") return fetch(url, init);
          const controller = new AbortController();
          lost.push(controller);
          return fetch(url, {
            ...init,
            signal: AbortSignal.any([controller.signal, init?.signal ?? controller.signal]),
          });
        },
      }),
    );
    let said = "";
    for await (const event of (await client.newSession({ cwd })).prompt("Hello")) {
      if (event.type !== "text") continue;
      said += event.text;
      for (const controller of lost.splice(0)) controller.abort();
      goOn();
    }
    expect(said).toBe("before after");
  });

  it("is closed with the listener", async () => {
    const listener = await listenAcp({ prompt: async () => {} }, { closeTimeoutMs: 20 });
    const client = await dialed(dialAcp(listener.url, { retryMs: 20 }));
    await listener.close();
    expect(await client.closed).toMatchObject({ code: "closed" });
  });
});
