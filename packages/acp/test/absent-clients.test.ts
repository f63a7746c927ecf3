// The slots of a listener belong to the clients that are present.
import { describe, expect, it, onTestFinished } from "vitest";
import { type AcpAgentOptions, type AcpClient, dialAcp } from "../src/index.js";
import { listenAcp } from "../src/node.js";
import { textOf } from "./turns.js";

const initialize = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } });
const agent = { prompt: async (turn: { text(text: string): unknown }) => void turn.text("Hello") };

type Listen = (options: AcpAgentOptions & { maxClients: number }) => Promise<{ url: string; close(): Promise<void> }>;

/** Opens an event stream and leaves. Returns what its connection is called. */
async function vanish(open: (signal: AbortSignal) => Promise<Response>): Promise<void> {
  const controller = new AbortController();
  const { body } = await open(controller.signal);
  await body?.getReader().read();
  controller.abort();
}

const ways: [string, Listen, (url: string) => Promise<AcpClient>, (url: string, n: number) => Promise<void>][] = [
  [
    "Streamable HTTP",
    (options) => listenAcp(agent, options),
    (url) => dialAcp(url),
    async (url) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${url}/acp`, { method: "POST", headers, body: initialize });
      await answer.text();
      const connection = answer.headers.get("acp-connection-id") ?? "";
      const own = { accept: "text/event-stream", "acp-connection-id": connection };
      await vanish((signal) => fetch(`${url}/acp`, { headers: own, signal }));
    },
  ],
  [
    "the specification's HTTP",
    (options) => listenAcp(agent, { ...options, paths: "spec" }),
    (url) => dialAcp(url, { paths: "spec" }),
    async (url, n) => {
      await (await fetch(`${url}/acp/rpc?client_id=${n}`, { method: "POST", body: initialize })).text();
      await vanish((signal) => fetch(`${url}/acp/sse?client_id=${n}`, { signal }));
    },
  ],
];

describe.each(ways)("a listener for %s", (_name, listen, dial, openAndVanish) => {
  it("gives the slots of clients that vanished to others, and leaves those that are present alone", async () => {
    const reports: string[] = [];
    const listener = await listen({
      maxClients: 8,
      onDiagnostic: ({ id, message }) => id === "listener.full" && reports.push(message),
    });
    onTestFinished(() => listener.close());
    const dialed = async (): Promise<AcpClient> => {
      const client = await dial(listener.url);
      onTestFinished(() => client.close());
      return client;
    };
    const present = await dialed();
    const session = await present.newSession({ cwd: "/work" });
    for (let n = 0; n < 20; n += 1) await openAndVanish(listener.url, n);
    const other = await dialed();
    expect(await textOf((await other.newSession({ cwd: "/work" })).prompt("Hi"))).toBe("Hello|end_turn");
    expect(await textOf(session.prompt("Hi"))).toBe("Hello|end_turn");
    expect(reports[0]).toMatch(/^a client that was away made room for another: there are 8 clients .* for \d+ ms$/);
  });
});
