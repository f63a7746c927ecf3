import { type Codec, contentLength, ndjson } from "@editwire/framing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ByteStreamEvents, type ByteStreamOptions, byteStreamTransport } from "../src/index.js";
import { deferred, NearEnd } from "./near-end.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

async function setUp(options: ByteStreamOptions = {}, codec: Codec = contentLength()) {
  let events: ByteStreamEvents | undefined;
  const nothing = (): void => {};
  const transport = byteStreamTransport(
    {
      open: (listener) => void (events = listener),
      write: () => true,
      pause: nothing,
      resume: nothing,
      end: () => events?.closed(),
      destroy: nothing,
    },
    codec,
    options,
  );
  const end = new NearEnd(transport);
  await Promise.resolve();
  return { end, read: (text: string) => events?.data(new TextEncoder().encode(text)) };
}

const second = 1_000;

it("closes inside a message that does not go on, and says how much of it came", async () => {
  const { end, read } = await setUp();
  read("Content-Length: 10\r\n\r\n123");
  vi.advanceTimersByTime(29 * second);
  expect(end.reasons).toEqual([]);
  vi.advanceTimersByTime(2 * second);
  expect(end.reasons).toEqual([
    expect.objectContaining({
      code: "framing",
      message: "the other end stopped inside a message: 3 of 10 bytes of its body came, then nothing for 30000 ms",
      data: { receivedBytes: 3, expectedBytes: 10 },
    }),
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

it("closes inside a line that does not end", async () => {
  const { end, read } = await setUp({ stallMs: 5 * second }, ndjson());
  read('{"method":');
  vi.advanceTimersByTime(6 * second);
  expect(end.reasons[0]?.message).toBe(
    "the other end stopped inside a message: 10 bytes came, then nothing for 5000 ms",
  );
});

it("waits for as long as a message goes on, with one timer", async () => {
  const { end, read } = await setUp({ stallMs: second });
  read("Content-Length: 100\r\n\r\n1");
  for (let i = 0; i < 98; i += 1) {
    vi.advanceTimersByTime(900);
    read(" ");
    expect(vi.getTimerCount()).toBe(1);
  }
  read(" ");
  expect(end.received).toEqual([1]);
  vi.advanceTimersByTime(10 * second);
  expect(end.reasons).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it("does not count the time in which this side does not read", async () => {
  const { end, read } = await setUp({ stallMs: second }, ndjson());
  const hold = deferred();
  end.onMessage = () => hold.promise;
  read('1\n{"n"');
  vi.advanceTimersByTime(60 * second);
  expect(end.reasons).toEqual([]);
  end.onMessage = () => {};
  hold.resolve();
  await hold.promise;
  await Promise.resolve();
  vi.advanceTimersByTime(900);
  read(":2}\n");
  expect(end.received).toEqual([1, { n: 2 }]);
  vi.advanceTimersByTime(60 * second);
  expect(end.reasons).toEqual([]);
});

it("reads what came while this process was busy before it gives up", async () => {
  const { end, read } = await setUp({ stallMs: second });
  read("Content-Length: 1\r\n\r\n");
  vi.advanceTimersByTime(second); // the timer comes before the bytes
  read("1");
  vi.advanceTimersByTime(60 * second);
  expect(end.received).toEqual([1]);
  expect(end.reasons).toEqual([]);
});

it("waits for ever with 0, and for noise", async () => {
  const never = await setUp({ stallMs: 0 });
  never.read("Content-Length: 1\r\n\r\n");
  const noise = await setUp({}, ndjson());
  noise.read("Password: ");
  vi.advanceTimersByTime(3_600 * second);
  expect([...never.end.reasons, ...noise.end.reasons]).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
