import { expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { openUnion, validatorOf } from "../src/index.js";

/** Runs validators of new schemas, and counts the functions that were made from text. */
function generated(): number {
  let count = 0;
  const counting = new Proxy(Function, {
    construct(target, parts) {
      count += 1;
      return Reflect.construct(target, parts) as object;
    },
  });
  vi.stubGlobal("Function", counting);
  const schema = z.object({ kind: openUnion("type", { a: z.object({ type: z.literal("a"), n: z.number() }) }) });
  const { fits, issues } = validatorOf(schema);
  expect([fits({ kind: { type: "a", n: 1 } }), fits({ kind: { type: "a" } })]).toEqual([true, false]);
  expect(issues({ kind: { type: "a" } }, "params")).toHaveLength(1);
  vi.unstubAllGlobals();
  return count;
}

it("generates code for validators in Node", () => {
  expect(generated()).toBeGreaterThan(0);
});

it("generates none in a page", () => {
  vi.stubGlobal("process", undefined);
  expect(generated()).toBe(0);
});

it("generates none after z.config({ jitless: true })", () => {
  z.config({ jitless: true });
  onTestFinished(() => void z.config({ jitless: false }));
  expect(generated()).toBe(0);
});
