// A server that has closed a client refuses its POSTs, but may have sent events before.
import { expect, describe, it, onTestFinished, vi } from "vitest";
import { httpClientTransport, httpStreamsClientTransport, type Transport } from "../src/index.js";

const url = "http://127.0.0.1:1/acp";
const names = { connection: "acp-connection-id", stream: "acp-session-id" };
const routes = {
  outgoing: () => "",
  incoming: () => ({}),
  awaits: () => false,
  mayArriveTwice: () => false,
  refused: () => undefined,
};

/** The ways to use HTTP, and how each server refuses a client that it has closed. */
const ways: [string, number, (fetch: typeof globalThis.fetch) => Transport][] = [
  ["one event stream", 410, (fetch) => httpClientTransport({ rpc: url, events: url, fetch })],
  ["several event streams", 404, (fetch) => httpStreamsClientTransport({ url, names, routes, fetch })],
];

/** A client whose server answers the first POST and refuses the second one, with an event stream that is open. */
async function refused(status: number, connect: (fetch: typeof globalThis.fetch) => Transport) {
  let posts = 0;
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const transport = connect(async (_url, init) => {
    if (init?.method === "DELETE") return new Response();
    if (init?.method !== "POST") {
      if (stream !== undefined) return new Response("over", { status: 404 });
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    posts += 1;
    return posts === 1
      ? new Response("{}", { headers: { [names.connection]: "c" } })
      : new Response("it is closed", { status });
  });
  onTestFinished(() => transport.close());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers()); // before the transport is closed
  const received: unknown[] = [];
  const reasons: string[] = [];
  transport.start({
    message: (value) => void received.push(value),
    malformed() {},
    closed: ({ message }) => void reasons.push(message),
  });
  await transport.send('{"n":1}');
  await vi.advanceTimersByTimeAsync(0);
  received.length = 0;
  void transport.send('{"n":2}');
  await vi.advanceTimersByTimeAsync(0);
  expect(posts).toBe(2);
  const { enqueue, close } = stream as ReadableStreamDefaultController<Uint8Array>;
  return {
    received,
    reasons,
    say: (text: string) => enqueue.call(stream, new TextEncoder().encode(text)),
    close: () => close.call(stream),
  };
}

describe.each(ways)("a client with %s that is answered %i", (_name, status, connect) => {
  it("receives the last events for a second, and then says why it closes", async () => {
    const { received, reasons, say } = await refused(status, connect);
    await vi.advanceTimersByTimeAsync(500);
    say('data: {"last":"words"}\n\n');
    await vi.advanceTimersByTimeAsync(499);
    expect({ received, reasons }).toEqual({ received: [{ last: "words" }], reasons: [] });
    await vi.advanceTimersByTimeAsync(1);
    expect(reasons).toEqual([expect.stringContaining(`the server answered ${status} it is closed`)]);
  });

  it("closes as soon as its event stream is over", async () => {
    const { reasons, close } = await refused(status, connect);
    close();
    await vi.advanceTimersByTimeAsync(100); // the pause before a stream is opened again
    expect(reasons).toEqual([expect.stringContaining("the server answered 404 over")]);
  });

  it("closes at once for another status", async () => {
    const { reasons } = await refused(403, connect);
    expect(reasons).toEqual([expect.stringContaining("the server answered 403 it is closed")]);
  });
});
