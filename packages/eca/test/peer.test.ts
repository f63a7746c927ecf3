import { memoryPair } from "@editwire/transport";
import { expect, it } from "vitest";
import { ecaFraming, ecaPeer } from "../src/shared/peer.js";

it("cancels a call as the JSON-RPC libraries of this protocol's programs do", async () => {
  const [here, there] = memoryPair();
  const client = ecaPeer(here);
  const sent: unknown[] = [];
  const cancelled = new Promise<void>((resolve) => {
    there.start({
      message(value) {
        sent.push(value);
        if (sent.length === 2) resolve();
      },
      malformed() {},
      closed() {},
    });
  });
  client.serve({ request() {}, notification() {} });
  const controller = new AbortController();
  client.request("chat/queryContext", { query: "" }, { signal: controller.signal }).catch(() => {});
  controller.abort();
  await cancelled;
  expect(sent[1]).toEqual({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } });
  await client.close();
});

it("reads a cancel, and no other message in its place", async () => {
  const [here, there] = memoryPair();
  const server = ecaPeer(there);
  const cancelled = new Promise<void>((resolve) => {
    server.serve({
      request: (_method, _params, { signal }) => new Promise(() => signal.addEventListener("abort", () => resolve())),
      notification() {},
    });
  });
  here.start({ message() {}, malformed() {}, closed() {} });
  void here.send(`{"jsonrpc":"2.0","id":7,"method":"chat/prompt","params":{}}`);
  for (const params of [`null`, `{}`, `{"id":null}`, `{"id":7}`])
    void here.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":${params}}`);
  await cancelled;
  await server.close();
});

it("reads on after a line that a server printed", () => {
  const framer = ecaFraming().open();
  framer.push(new TextEncoder().encode(`starting up\n${framer.encode(`{"jsonrpc":"2.0"}`)}`));
  expect(framer.next()).toMatchObject({ ok: false, fatal: false });
  expect(framer.next()).toMatchObject({ ok: true, value: { jsonrpc: "2.0" } });
});
