import { describe, expect, it } from "vitest";
import type { Transport } from "../src/index.js";
import { deferred, NearEnd } from "./near-end.js";

/**
 * A connected pair, seen from the near end. The far end obeys commands (`serveFarEnd`), in this process or in another.
 */
export interface Ends {
  /** The transport under test, not yet started. */
  readonly near: Transport;
  /** Resolves when the far end's flood is stuck, with how many messages it had sent. */
  readonly blocked: Promise<number>;
  /** Resolves when the far end's flood is over, at its end. */
  readonly flooded: Promise<void>;
  /** Resolves when the far end's transport has closed, with how many `take` messages came before. */
  readonly farClosed: Promise<number>;
  /** Lets a far end read on that hangs. */
  release(): void;
  /** Ends the far side without a goodbye, where it can be. */
  readonly kill?: (() => void) | undefined;
}

/** The arguments of `factory`; both are the near end's. */
export interface EndsOptions {
  maxQueuedBytes?: number | undefined;
  maxMessageBytes?: number | undefined;
}

/** The properties of a transport. */
export interface Traits {
  /** The size of the one large message, in bytes. Default 64,000,000. */
  largeMessage?: number | undefined;
  /** How many small messages are sent each way; fewer where each costs a request. Default 10,000. */
  messages?: number | undefined;
  /** The limit of the buffers between the ends, in bytes. Default 8,000,000. */
  slack?: number | undefined;
  /** Messages above `maxMessageBytes` are refused. Default true. */
  limitsMessages?: boolean | undefined;
  /** The far end can put bytes on the wire that are not a message. Default true. */
  carriesGarbage?: boolean | undefined;
  /** The far end can end without a goodbye. Default true. */
  isKillable?: boolean | undefined;
}

/** The rules of the contract, for any transport. */
export function transportTests(
  name: string,
  factory: (options: EndsOptions) => Promise<Ends>,
  traits: Traits = {},
): void {
  const {
    largeMessage = 64_000_000,
    messages = 10_000,
    slack = 8_000_000,
    limitsMessages = true,
    carriesGarbage = true,
    isKillable = true,
  } = traits;
  const open = async (options: EndsOptions = {}): Promise<Ends & { end: NearEnd }> => {
    const ends = await factory(options);
    return { ...ends, end: new NearEnd(ends.near) };
  };

  describe(name, () => {
    it("carries any JSON value, both ways", async () => {
      const { end } = await open();
      const values = [
        null,
        true,
        -0.5,
        "",
        "grün 漢字 😀 \u2028 \n \0 \\",
        [],
        {},
        { deep: [{ er: ["😀".repeat(1_000)] }] },
      ];
      for (const value of values) expect(await end.ask({ do: "echo", value }, "echo")).toEqual({ echo: value });
    });

    it(`keeps the order of ${messages} messages, both ways`, async () => {
      const { end } = await open();
      const last = end.next(({ echo }) => echo === messages - 1);
      for (let i = 0; i < messages; i += 1) await end.tell({ do: "echo", value: i });
      await last;
      expect(end.received.map(({ echo }) => echo)).toEqual(Array.from({ length: messages }, (_, i) => i));
    });

    it(`carries a message of ${largeMessage} bytes, both ways`, async () => {
      const { end } = await open();
      const text = `${"x".repeat(largeMessage - 5)}é😀`;
      expect(await end.ask({ do: "measure", text }, "length")).toEqual({ length: text.length, end: "xé😀" });
      const back = end.next("i");
      await end.ask({ do: "flood", n: 1, size: largeMessage }, "flooded");
      expect(String((await back)["pad"])).toHaveLength(largeMessage);
    });

    it("delivers nothing while the last message is unsettled, and goes on when it rejects", async () => {
      const { end } = await open();
      const hold = deferred();
      const first = end.next("i");
      end.onMessage = () => hold.promise.then(() => Promise.reject(new Error("a handler failed")));
      const flooded = end.next("flooded");
      await end.tell({ do: "flood", n: 100, size: 10 });
      await first;
      await new Promise(setImmediate);
      expect(end.received).toHaveLength(1);
      hold.resolve();
      await flooded;
      expect(end.received).toHaveLength(101);
    });

    it("slows a producer down that sends to an end which does not read", async () => {
      const { end, blocked, ...far } = await open();
      const hold = deferred();
      end.onMessage = () => hold.promise;
      const first = end.next("i");
      const flooded = end.next("flooded");
      await end.tell({ do: "flood", n: 2_000, size: 8_000 });
      expect((await blocked) * 8_000).toBeLessThan(slack);
      await first;
      // An end that reads on in spite of it needs less time than this to take everything.
      const late = new Promise((resolve) => setTimeout(resolve, 200, "held"));
      expect(await Promise.race([late, far.flooded])).toBe("held");
      expect(end.received).toHaveLength(1);
      hold.resolve();
      expect((await flooded)["waits"]).toBeGreaterThan(0);
      expect(end.received.slice(0, -1).map(({ i }) => i)).toEqual(Array.from({ length: 2_000 }, (_, i) => i));
    });

    it("asks a sender to wait for an end that does not read, and takes no more than its limit", async () => {
      const maxQueuedBytes = 1_000_000;
      const { end, release } = await open({ maxQueuedBytes });
      await end.ask({ do: "echo", value: "ready" }, "echo");
      await end.tell({ do: "hang" });
      const pad = "x".repeat(10_000);
      let room: void | Promise<void> = undefined;
      let sent = 0;
      for (; room === undefined; sent += 1) room = end.tell({ do: "take", i: sent, pad });
      expect(sent * 10_000).toBeLessThan(slack);
      const overflow = (): void => {
        for (; sent * 10_000 < slack + 2 * maxQueuedBytes; sent += 1) void end.tell({ do: "take", i: sent, pad });
      };
      expect(overflow).toThrow(expect.objectContaining({ name: "WireError", code: "overloaded" }));
      release();
      await room;
      expect(await end.ask({ do: "report" }, "taken")).toMatchObject({ taken: sent, inOrder: true });
    });

    const tellsOfGarbage = async (): Promise<void> => {
      const { end } = await open();
      await end.tell({ do: "garbage" });
      await end.ask({ do: "echo", value: 1 }, "echo");
      expect(end.malformed).toEqual([expect.objectContaining({ name: "WireError", code: "framing" })]);
    };
    if (carriesGarbage) it("reports what is not a message, and continues", tellsOfGarbage);

    const skipsLargeMessages = async (): Promise<void> => {
      const { end } = await open({ maxMessageBytes: 1_000 });
      await end.ask({ do: "flood", n: 3, size: 200_000 }, "flooded");
      expect(end.malformed.map(({ code }) => code)).toEqual(["too_large", "too_large", "too_large"]);
      expect(end.received).toHaveLength(1);
    };
    if (limitsMessages) it("skips a message above the limit, and reads on", skipsLargeMessages);

    it("sends what it took before it closes", async () => {
      const { end, farClosed } = await open();
      const count = Math.min(messages, 1_000);
      for (let i = 0; i < count; i += 1) await end.tell({ do: "take", i });
      await end.transport.close();
      expect(end.reasons).toEqual([expect.objectContaining({ code: "closed", message: "closed by this side" })]);
      expect(await farClosed).toBe(count);
      await end.transport.close();
      expect(() => end.tell({ do: "report" })).toThrow(expect.objectContaining({ name: "WireError", code: "closed" }));
      expect(end.reasons).toHaveLength(1);
    });

    it("delivers what came before the other end closed, then says so once", async () => {
      const { end, farClosed } = await open();
      await end.ask({ do: "flood", n: 1_000, size: 100 }, "flooded");
      await end.tell({ do: "echo", value: "last" });
      await end.tell({ do: "close" });
      const reason = await end.closed;
      expect(reason).toMatchObject({ name: "WireError", code: "closed" });
      expect(reason.message).not.toContain("this side");
      expect(end.received.at(-1)).toEqual({ echo: "last" });
      expect(() => end.tell({ do: "report" })).toThrow(expect.objectContaining({ code: "closed" }));
      await end.transport.close();
      await farClosed;
      expect(end.reasons).toHaveLength(1);
    });

    it("tells a listener that comes after the close", async () => {
      const { near } = await factory({});
      await near.close();
      const end = new NearEnd(near);
      expect((await end.closed).message).toBe("closed by this side");
    });

    const noticesKill = async (): Promise<void> => {
      const { end, kill } = await open();
      await end.ask({ do: "echo", value: 1 }, "echo");
      expect(kill).toBeDefined();
      kill?.();
      expect(await end.closed).toMatchObject({ code: "closed" });
      await end.transport.close();
      expect(end.reasons).toHaveLength(1);
    };
    if (isKillable) it("notices that the other end was killed", noticesKill);

    it("lets nobody wait for room once it is closed", async () => {
      const { end, release } = await open();
      await end.ask({ do: "echo", value: "ready" }, "echo");
      await end.tell({ do: "hang" });
      let room: void | Promise<void> = undefined;
      while (room === undefined) room = end.tell({ do: "take", i: 0, pad: "x".repeat(100_000) });
      const closing = end.transport.close();
      release();
      await Promise.all([room, closing]);
    });
  });
}
