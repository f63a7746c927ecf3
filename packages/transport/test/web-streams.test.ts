import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { ndjson } from "@editwire/framing";
import { expect, it, onTestFinished } from "vitest";
import { webStreamTransport } from "../src/index.js";
import { transportTests } from "./contract.js";
import { inProcess } from "./in-process.js";
import { deferred, NearEnd } from "./near-end.js";

transportTests(
  "webStreamTransport over operating system pipes",
  async (options) => {
    const there = spawn("cat");
    const back = spawn("cat");
    const kill = (): void => {
      there.kill("SIGKILL");
      back.kill("SIGKILL");
    };
    onTestFinished(kill);
    const input = (stream: Readable): ReadableStream<Uint8Array> =>
      Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
    const output = (stream: Writable): WritableStream<Uint8Array> => Writable.toWeb(stream);
    const near = webStreamTransport(input(back.stdout), output(there.stdin), ndjson(), options);
    const far = webStreamTransport(input(there.stdout), output(back.stdin), ndjson());
    return inProcess(near, far, { garbage: () => void back.stdin.write("this is not a message\n"), kill });
  },
  { largeMessage: 4_000_000 },
);

const text = (said: string): Uint8Array => new TextEncoder().encode(said);

/** A readable that the test feeds, and a writable that records. */
function streams() {
  let input!: ReadableStreamDefaultController<Uint8Array>;
  const calls: unknown[] = [];
  const readable = new ReadableStream<Uint8Array>({
    start: (controller) => void (input = controller),
    cancel: () => void calls.push("cancelled"),
  });
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) => void calls.push(new TextDecoder().decode(chunk)),
    close: () => void calls.push("closed"),
    abort: () => void calls.push("aborted"),
  });
  return { readable, writable, input, calls };
}

it("flushes what was sent, ends the writable and releases the readable", async () => {
  const { readable, writable, calls } = streams();
  const end = new NearEnd(webStreamTransport(readable, writable, ndjson()));
  end.transport.send("[1]");
  await end.transport.close();
  expect(calls).toEqual(["[1]\n", "closed", "cancelled"]);
  expect(end.reasons).toEqual([expect.objectContaining({ message: "closed by this side" })]);
});

it("closes when the readable ends, and reports a message that the end cut off", async () => {
  const { readable, writable, input, calls } = streams();
  const end = new NearEnd(webStreamTransport(readable, writable, ndjson()));
  input.enqueue(text('{"whole":1}\n{"half":'));
  input.close();
  await end.closed;
  expect([end.received, calls]).toEqual([[{ whole: 1 }], ["closed"]]);
  expect(end.malformed).toEqual([expect.objectContaining({ code: "framing" })]);
});

it.each(["readable", "writable"])("says what broke: the %s", async (broken) => {
  const cause = new Error("read EIO");
  const { readable, writable, input } = streams();
  const failing = new WritableStream<Uint8Array>({ write: () => Promise.reject(cause) });
  const transport = webStreamTransport(readable, broken === "writable" ? failing : writable, ndjson());
  const end = new NearEnd(transport);
  if (broken === "readable") input.error(cause);
  else transport.send("[1]");
  expect(await end.closed).toMatchObject({ code: "closed", message: "the connection broke: read EIO", cause });
});

it("destroys the streams when the other end does not take what was sent in time", async () => {
  const { readable, calls } = streams();
  const stuck = new WritableStream<Uint8Array>({ write: () => new Promise(() => {}) });
  const end = new NearEnd(webStreamTransport(readable, stuck, ndjson(), { closeTimeoutMs: 1 }));
  end.transport.send("[1]");
  await end.transport.close();
  expect(calls).toEqual(["cancelled"]);
});

it("reads no further while a listener is busy", async () => {
  const hold = deferred();
  let pulled = 0;
  const readable = new ReadableStream<Uint8Array>(
    { pull: (controller) => void controller.enqueue(text(`{"n":${pulled++}}\n`)) },
    { highWaterMark: 0 },
  );
  const end = new NearEnd(webStreamTransport(readable, streams().writable, ndjson()));
  const first = end.next("n");
  end.onMessage = () => hold.promise;
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  expect(pulled).toBeLessThan(4);
  end.onMessage = () => void end.transport.close();
  hold.resolve();
  await end.closed;
});

it("refuses a stream that something else reads", () => {
  const { readable, writable } = streams();
  readable.getReader();
  expect(() => webStreamTransport(readable, writable, ndjson())).toThrow(TypeError);
});
