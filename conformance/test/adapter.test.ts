import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import {
  adapterClient,
  type AdapterClient,
  type AdapterInit,
  serveAdapter,
  UnsupportedAction,
} from "../src/adapter.js";
import { LineControl } from "../src/wire/control.js";

const init: AdapterInit = { agent: { command: ["/tmp/agent"] }, cwd: "/tmp", framing: "line" };

/** Both ends of the control protocol, over two streams. */
function pair(open: (init: AdapterInit) => Promise<AdapterClient>) {
  const toAdapter = new PassThrough();
  const fromAdapter = new PassThrough();
  const noise: string[] = [];
  const control = new LineControl(fromAdapter, toAdapter, (line) => noise.push(line));
  const served = serveAdapter(open, { input: toAdapter, output: fromAdapter });
  return { control, served, fromAdapter, toAdapter, noise };
}

describe("an adapter", () => {
  test("learns where the agent is, acts on commands, and ends its client at shutdown", async () => {
    const seen: unknown[] = [];
    const { control, served } = pair(async (given) => {
      seen.push(given);
      return adapterClient({ prompt: ({ text }) => ({ stopReason: `${String(text)}!` }) }, () => seen.push("closed"));
    });
    await control.init(init);
    expect(await control.do("prompt", { text: "end" })).toEqual({ stopReason: "end!" });
    control.shutdown();
    await served;
    expect(seen).toEqual([init, "closed"]);
  });

  test("reads a command with U+2028 as one line, and survives a line that is not JSON", async () => {
    const { control, served, toAdapter, noise } = pair(async () => adapterClient({ prompt: ({ text }) => text }));
    await control.init(init);
    toAdapter.write("no command\n");
    expect(await control.do("prompt", { text: "a\u2028b" })).toBe("a\u2028b");
    control.shutdown();
    await served;
    expect(noise.join("\n")).toContain("expected a JSON object on each line, received no command");
  });

  test("does several things at once, and answers them as they end", async () => {
    let finish = (_value: string): void => {};
    const { control } = pair(async () =>
      adapterClient({ slow: () => new Promise((resolve) => (finish = resolve)), quick: () => "quick" }),
    );
    void control.init(init);
    const slow = control.do("slow");
    expect(await control.do("quick")).toBe("quick");
    finish("slow");
    expect(await slow).toBe("slow");
  });

  test("tells an action that failed from one that there is not", async () => {
    const { control } = pair(async () =>
      adapterClient({
        fails: () => {
          throw new Error("no session");
        },
      }),
    );
    void control.init(init);
    await expect(control.do("fails")).rejects.toThrow("no session");
    await expect(control.do("fails")).rejects.not.toBeInstanceOf(UnsupportedAction);
    await expect(control.do("fly")).rejects.toThrow(UnsupportedAction);
    await expect(control.do("constructor")).rejects.toThrow(UnsupportedAction);
  });

  test("does nothing before its client is there, and nothing at all when there is none to be had", async () => {
    const order: string[] = [];
    const one = pair(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("open");
      return adapterClient({ prompt: () => void order.push("prompt") });
    });
    void one.control.init(init);
    await one.control.do("prompt");
    expect(order).toEqual(["open", "prompt"]);

    const other = pair(() => Promise.reject(new Error("no agent")));
    await expect(other.control.init(init)).rejects.toThrow("no agent");
    await expect(other.control.do("prompt")).rejects.toThrow("no agent");
  });

  test("ends with its input, like any program", async () => {
    let closed = false;
    const { control, served, toAdapter } = pair(async () => adapterClient({}, () => void (closed = true)));
    await control.init(init);
    toAdapter.end();
    await served;
    expect(closed).toBe(true);
  });
});

describe("a suite that steers", () => {
  test("accepts what a program writes besides its answers, in any pieces", async () => {
    const fromProgram = new PassThrough();
    const toProgram = new PassThrough();
    const noise: string[] = [];
    const control = new LineControl(fromProgram, toProgram, (line) => noise.push(line));
    const ready = control.init(init);
    fromProgram.write('Loading…\n[1,2]\n{"id":99,"ok":true}\nnull\n{"id":1,');
    fromProgram.write('"ok":true,"result":7}\n');
    expect(await ready).toBe(7);
    expect(noise).toEqual(["Loading…", "[1,2]", '{"id":99,"ok":true}', "null"]);
  });

  test("learns that the program has ended, for open and for later actions", async () => {
    const { control, fromAdapter } = pair(async () => adapterClient({ prompt: () => new Promise(() => {}) }));
    await control.init(init);
    const open = control.do("prompt");
    open.catch(() => {});
    fromAdapter.destroy();
    await expect(open).rejects.toThrow("the adapter ended");
    await expect(control.do("prompt")).rejects.toThrow("the adapter ended");
  });
});
