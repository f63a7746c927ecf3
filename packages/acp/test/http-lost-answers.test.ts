// A proxy loses the answer to a POST that its server took. The message is not sent a second time.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { agent as officialAgent, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { createNodeHttpHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AcpClient, type AcpClientOptions, type AcpUpdateEvent, dialAcp } from "../src/index.js";
import { listenAcp } from "../src/node.js";
import { type Loss, lossyProxy } from "./lossy-proxy.js";
import { textOf } from "./turns.js";

/** The requests that an agent received. Its first prompt ends when the test releases it. */
interface Done {
  sessions: number;
  prompts: number;
  readonly goOn: Promise<void>;
  allowed?: boolean;
  cancelled?: boolean;
}

/** The specification's transport, of our agent. */
async function specified(done: Done): Promise<string> {
  const listener = await listenAcp(
    {
      newSession: () => void (done.sessions += 1),
      async prompt(turn) {
        done.prompts += 1;
        await done.goOn;
        if (turn.promptText === "ask") {
          const call = await turn.toolCall({ title: "Write" });
          done.allowed = (await turn.requestPermission(call)).allowed;
        }
        if (turn.promptText === "wait")
          await new Promise((resolve) => turn.signal.addEventListener("abort", resolve)).then(
            () => (done.cancelled = true),
          );
        await turn.text(turn.promptText);
      },
    },
    { paths: "spec" },
  );
  onTestFinished(() => listener.close());
  return listener.url;
}

/** Streamable HTTP, of an agent on the official SDK, which takes no keys. */
async function official(done: Done): Promise<string> {
  let cancel = (): void => {};
  const server = new AcpServer({
    createAgent: () =>
      officialAgent({ name: "official" })
        .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
        .onRequest(methods.agent.session.new, () => ({ sessionId: `s${(done.sessions += 1)}` }))
        .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
          done.prompts += 1;
          await done.goOn;
          const text = prompt[0]?.type === "text" ? prompt[0].text : "";
          if (text === "ask") {
            const { outcome } = await client.request(methods.client.session.requestPermission, {
              sessionId,
              toolCall: { toolCallId: "t1", title: "Write" },
              options: [{ optionId: "once", name: "Once", kind: "allow_once" }],
            });
            done.allowed = outcome.outcome === "selected";
          }
          if (text === "wait")
            await new Promise<void>((resolve) => (cancel = resolve)).then(() => (done.cancelled = true));
          await client.notify(methods.client.session.update, {
            sessionId,
            update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
          });
          return { stopReason: text === "wait" ? "cancelled" : "end_turn" };
        })
        .onNotification(methods.agent.session.cancel, () => cancel()),
  });
  const listener = createServer(createNodeHttpHandler(server)).listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(async () => {
    await server.close();
    listener.closeAllConnections();
    listener.close();
  });
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

type Dial = (url: string, options?: AcpClientOptions) => Promise<AcpClient>;
const dialects: readonly [string, (done: Done) => Promise<string>, Dial][] = [
  ["the specification's HTTP", specified, (url, options) => dialAcp(url, { ...options, paths: "spec" })],
  ["Streamable HTTP, to an agent on the official SDK", official, dialAcp],
];

describe.each(dialects)("an answer that is lost over %s", (_name, serve, dial) => {
  async function start(losses: Record<string, Loss>, options: AcpClientOptions = {}) {
    let goOn = (): void => {};
    const done: Done = { sessions: 0, prompts: 0, goOn: new Promise((resolve) => (goOn = resolve)) };
    if (losses["session/prompt"] === undefined) goOn();
    const { url, counts } = await lossyProxy(await serve(done), losses);
    const client = async (): Promise<AcpClient> => {
      const dialed = await dial(url, options);
      onTestFinished(() => dialed.close());
      return dialed;
    };
    return { done, counts, client, goOn };
  }

  it.each<Loss>([502, 504, "reset"])("fails the prompt, which runs once: %s", async (loss) => {
    let heard = (_text: string): void => {};
    const late = new Promise<string>((resolve) => (heard = resolve));
    const onUpdate = (event: AcpUpdateEvent): void => {
      if (event.type === "text") heard(event.text);
    };
    const { done, counts, client, goOn } = await start({ "session/prompt": loss }, { onUpdate });
    const session = await (await client()).newSession({ cwd: "/work" });
    await expect(session.prompt("delete the oldest backup").stopReason).rejects.toMatchObject({
      message: expect.stringMatching(/\/acp\S*: .*so its outcome is unknown$/) as string,
      data: { outcome: "unknown" },
    });
    goOn();
    expect(await late).toBe("delete the oldest backup");
    expect(await textOf(session.prompt("again"))).toBe("again|end_turn");
    expect([done.prompts, counts["session/prompt"]]).toEqual([2, 2]);
  });

  it("fails session/new, and makes no second session", async () => {
    const { done, client } = await start({ "session/new": 504 });
    const agent = await client();
    await expect(agent.newSession({ cwd: "/work" })).rejects.toMatchObject({ data: { outcome: "unknown" } });
    expect(await textOf((await agent.newSession({ cwd: "/work" })).prompt("on"))).toBe("on|end_turn");
    expect(done.sessions).toBe(2);
  });

  it("fails initialize, and says so", async () => {
    const { counts, client } = await start({ initialize: "reset" });
    await expect(client()).rejects.toThrow(/so its outcome is unknown/);
    expect(counts).toEqual({ initialize: 1 });
  });

  it("costs no answer to a permission request: a second one does no harm", async () => {
    const { done, counts, client } = await start({ answer: 504 }, { permission: async () => "allow_once" });
    const session = await (await client()).newSession({ cwd: "/work" });
    expect(await textOf(session.prompt("ask"))).toContain("ask|end_turn");
    await textOf(session.prompt("on")); // messages are POSTed in order
    expect([done.allowed, counts["answer"]]).toEqual([true, 2]);
  });

  it("costs no cancel", async () => {
    const { done, client } = await start({ "session/cancel": "reset" });
    const session = await (await client()).newSession({ cwd: "/work" });
    const turn = session.prompt("wait");
    void turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
    expect(await textOf(session.prompt("on"))).toBe("on|end_turn");
    expect(done).toMatchObject({ cancelled: true, prompts: 2 });
  });
});
