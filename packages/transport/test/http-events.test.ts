import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { readEvents } from "../src/http/events.js";
import { encodeUtf8 } from "../src/shared/utf8.js";

const mebibyte = 1024 * 1024;
const limits = { maxChars: 64 * mebibyte, silenceMs: 60_000 };

it("keeps no large event while it is handled, nor when the next one has begun", async () => {
  const collectGarbage = gc();
  const idle = heapOf(collectGarbage);
  const ids: (string | undefined)[] = [];
  const grown: number[] = [];
  const measure = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    grown.push(heapOf(collectGarbage) - idle);
  };
  const chunks = [
    `id: the-first-event\ndata: ${"x".repeat(mebibyte)}`,
    ...Array<string>(31).fill("y".repeat(mebibyte)),
  ];
  chunks.push("\n\nid: the-second-event\nevent: another-kind\ndata: short", "\n\n: end");
  await readEvents(streamOf(chunks), limits, ({ id }) => {
    ids.push(id);
    return measure();
  });
  expect(ids).toEqual(["the-first-event", "the-second-event"]);
  expect(Math.max(...grown) / mebibyte).toBeLessThan(8);
});

it("reads events whatever their line breaks are, and wherever chunks end", async () => {
  const texts = ["data: 1\r\ndata: 2\r\n\r\ndata: 3\r\r", "data: 4\n\ndata: 5\n", "\n", "data: 6\r", "\n\r\n"];
  const events: string[] = [];
  await readEvents(streamOf(texts), limits, ({ data }) => void events.push(data));
  expect(events).toEqual(["1\n2", "3", "4", "5", "6"]);
});

/** A stream that makes each chunk when it is read, so that the chunks themselves are not kept. */
function streamOf(texts: readonly string[]): ReadableStream<Uint8Array> {
  const rest = [...texts];
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const text = rest.shift();
        if (text === undefined) controller.close();
        else controller.enqueue(encodeUtf8(text));
      },
    },
    { highWaterMark: 0 },
  );
}

function gc(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

function heapOf(collectGarbage: () => void): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
