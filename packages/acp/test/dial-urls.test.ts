// The URL of an agent may already end in the path at which it is served. A wrong one is named as it was tried.
import { expect, it, onTestFinished } from "vitest";
import { WebSocket as WsSocket } from "ws";
import { dialAcpHttp, dialAcpStreamableHttp, dialAcpWebSocket } from "../src/index.js";
import { listenAcpHttp } from "../src/node.js";
import { dialAcpNodeWebSocket, listenAcp } from "../src/ws.js";

const agent = { prompt: async () => {} };

async function urlOf(listening: Promise<{ url: string; close(): Promise<void> }>): Promise<string> {
  const listener = await listening;
  onTestFinished(() => listener.close());
  return listener.url;
}

it.each([
  ["dialAcpStreamableHttp", dialAcpStreamableHttp, listenAcp, "/acp", "/acp"],
  ["dialAcpNodeWebSocket", dialAcpNodeWebSocket, listenAcp, "/acp", "/acp"],
  ["dialAcpWebSocket", dialAcpWebSocket, listenAcp, "/acp", "/acp"],
  ["dialAcpHttp", dialAcpHttp, listenAcpHttp, "/acp/rpc", "/acp/sse"],
])("%s accepts a URL that ends in its path, and names the path of a 404", async (name, dial, listen, path, tried) => {
  if (name === "dialAcpWebSocket") {
    const { WebSocket: own } = globalThis;
    onTestFinished(() => void Object.assign(globalThis, { WebSocket: own }));
    Object.assign(globalThis, { WebSocket: WsSocket }); // Node 20 has none
  }
  const url = await urlOf(listen(agent));
  await (await dial(url + path)).close();
  await (await dial(`${url}${path}/`)).close();
  await expect(dial(`${url}/agents`)).rejects.toThrow(`/agents${tried}: `);
});

it("a 404 over HTTP says which path is served", async () => {
  const url = await urlOf(listenAcp(agent));
  await expect(dialAcpStreamableHttp(`${url}/agents`)).rejects.toThrow(
    `POST ${url}/agents/acp: the server answered 404 expected the path /acp, received /agents/acp`,
  );
  const specified = await urlOf(listenAcpHttp(agent));
  await expect(dialAcpHttp(`${specified}/agents`)).rejects.toThrow(
    "404 expected the path /acp/rpc or /acp/sse, received /agents/acp/sse",
  );
});
