// The URL of an agent may already end in the path at which it is served. A wrong one is named as it was tried.
import { expect, it, onTestFinished } from "vitest";
import { WebSocket as WsSocket } from "ws";
import { dialAcp as dialFromPage } from "../src/index.js";
import { dialAcp, listenAcp } from "../src/node.js";

const agent = { prompt: async () => {} };

async function urlOf(listening: Promise<{ url: string; close(): Promise<void> }>): Promise<string> {
  const listener = await listening;
  onTestFinished(() => listener.close());
  return listener.url;
}

const ws = (url: string): string => url.replace("http", "ws");
const spec = { paths: "spec" } as const;

it.each([
  ["Streamable HTTP", dialAcp, undefined, (url: string) => url, "/acp", "/acp"],
  ["a WebSocket", dialAcp, undefined, ws, "/acp", "/acp"],
  ["a WebSocket of the runtime", dialFromPage, undefined, ws, "/acp", "/acp"],
  ["the specification's HTTP", dialAcp, spec, (url: string) => url, "/acp/rpc", "/acp/sse"],
])("%s: a URL may end in its path, and a 404 names the path", async (name, dial, options, toDial, path, tried) => {
  if (name === "a WebSocket of the runtime") {
    const { WebSocket: own } = globalThis;
    onTestFinished(() => void Object.assign(globalThis, { WebSocket: own }));
    Object.assign(globalThis, { WebSocket: WsSocket }); // Node 20 has none
  }
  const url = toDial(await urlOf(listenAcp(agent, options)));
  await (await dial(url + path, options)).close();
  await (await dial(`${url}${path}/`, options)).close();
  await expect(dial(`${url}/agents`, options)).rejects.toThrow(`/agents${tried}: `);
});

it.each([
  ["localhost", {}, 'expected an http, https, ws or wss URL, received "localhost"'],
  ["ws://127.0.0.1:1", spec, 'expected an http or https URL with paths: "spec", received "ws://127.0.0.1:1"'],
  [
    "http://127.0.0.1:1",
    { ...spec, path: "/a" },
    'expected no path with paths: "spec", which are /acp/rpc and /acp/sse',
  ],
  ["http://127.0.0.1:1", { clientId: "a" }, 'expected clientId only with paths: "spec"'],
  ["http://127.0.0.1:1", { paths: "v1" as "spec" }, 'expected paths to be one of spec, received the string "v1"'],
])("dialAcp of %s with %j says what is wrong", async (url, options, message) => {
  for (const dial of [dialAcp, dialFromPage])
    await expect(dial(url, options)).rejects.toThrow(expect.objectContaining({ name: "TypeError" }));
  await expect(dialAcp(url, options)).rejects.toThrow(message);
});

it("the WebSocket of a page has no headers and no cookies, so dialAcp refuses them", async () => {
  for (const [key, value] of [["headers", { a: "b" }] as const, ["cookies", new Map<string, string>()] as const])
    await expect(dialFromPage("ws://127.0.0.1:1", { [key]: value })).rejects.toThrow(
      `dialAcp: expected no ${key}, which the global WebSocket does not send; use dialAcp of @editwire/acp/node`,
    );
});

it("a 404 over HTTP says which path is served", async () => {
  const url = await urlOf(listenAcp(agent));
  await expect(dialAcp(`${url}/agents`)).rejects.toThrow(
    `POST ${url}/agents/acp: the server answered 404 expected the path /acp, received /agents/acp`,
  );
  const specified = await urlOf(listenAcp(agent, { paths: "spec" }));
  await expect(dialAcp(`${specified}/agents`, { paths: "spec" })).rejects.toThrow(
    "404 expected the path /acp/rpc or /acp/sse, received /agents/acp/sse",
  );
});
