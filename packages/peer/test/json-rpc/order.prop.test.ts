import * as fc from "fast-check";
import { expect, it } from "vitest";
import { jsonRpcPeer } from "../../src/index.js";
import { handlerOf } from "./support.js";
import { Wire } from "./wire.js";

const sessions = ["a", "b", undefined] as const;
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("notify" as const),
      lane: fc.nat(2),
      ticks: fc.nat(20),
      fails: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("request" as const),
      lane: fc.nat(2),
      ticks: fc.nat(20),
      fails: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("call" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reply" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), ticks: fc.nat(20) }) },
);

async function ticks(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await Promise.resolve();
}

it("keeps every lane in order, one at a time, and settles each call after what came before its reply", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const wire = new Wire();
      const peer = jsonRpcPeer(wire);
      const started: number[] = [];
      const finished = new Set<number>();
      const running = new Map<unknown, number>();
      /**
       * Requests that may start early: a call is awaited that was made while their lane was busy, as its handler may
       * have done.
       */
      const hurried = new Set<number>();

      const handler =
        (exclusive: boolean) =>
        (_method: string, raw: unknown): void | Promise<void> => {
          const { n, s, count, fails } = raw as { n: number; s: string | undefined; count: number; fails: boolean };
          if (!hurried.has(n)) expect(running.has(s)).toBe(false);
          started.push(n);
          const finish = (): void => {
            running.delete(s);
            finished.add(n);
            if (fails) throw new Error("as the test wants it");
          };
          if (!exclusive) return void finished.add(n);
          if (count === 0) return finish();
          running.set(s, n);
          return ticks(count).then(finish);
        };
      const session = (_method: string, params: unknown): string | undefined => (params as { s?: string }).s;
      peer.serve(handlerOf({ request: handler(false), notification: handler(true), session }));

      const arrived: { n: number; s: string | undefined; isRequest: boolean }[] = [];
      const calls: { done: Promise<unknown>; busy: Set<unknown>; settled: boolean }[] = [];
      const open: number[] = [];
      const settled: Promise<void>[] = [];
      for (const [n, one] of steps.entries()) {
        if (one.kind === "wait") await ticks(one.ticks);
        else if (one.kind === "call") {
          let before: number;
          do {
            before = finished.size; // a lane is free a few ticks after its last handler has finished
            await ticks(5);
          } while (finished.size !== before);
          const busy = new Set(arrived.filter((message) => !finished.has(message.n)).map(({ s }) => s));
          const call = { done: peer.request("call", {}), busy, settled: false };
          void call.done.then(() => (call.settled = true));
          calls.push(call);
          for (const message of arrived) if (message.isRequest && !finished.has(message.n)) hurried.add(message.n);
          open.push(calls.length);
        } else if (one.kind === "reply") {
          const id = open.shift();
          const call = id === undefined ? undefined : calls[id - 1];
          if (call === undefined) continue;
          const before = arrived.filter(({ s }) => !call.busy.has(s));
          settled.push(call.done.then(() => expect(before.filter((message) => !finished.has(message.n))).toEqual([])));
          wire.answer(id, null);
        } else {
          const s = sessions[one.lane];
          arrived.push({ n, s, isRequest: one.kind === "request" });
          if (one.kind === "request" && calls.some((call) => !call.settled && call.busy.has(s))) hurried.add(n);
          const params = { n, s, count: one.ticks, fails: one.fails };
          if (one.kind === "notify") wire.notify("event", params);
          else wire.request(n, "request", params);
        }
      }
      for (const id of open) wire.answer(id, null);
      await Promise.all([...settled, ...calls.map(({ done }) => done)]);
      await ticks(1_000);

      expect(finished.size).toBe(arrived.length);
      for (const s of sessions) {
        const inLane = arrived.filter((message) => message.s === s && !hurried.has(message.n)).map(({ n }) => n);
        expect(started.filter((n) => inLane.includes(n))).toEqual(inLane);
      }
    }),
    { numRuns: 200 },
  );
});
