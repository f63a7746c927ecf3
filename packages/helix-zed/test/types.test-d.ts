import { describe, expectTypeOf, test } from "vitest";
import type { HelixZedAgent } from "../src/index.js";

describe("what the handler of a turn returns", () => {
  test("is nothing", () => {
    const agents: HelixZedAgent[] = [{ prompt: async () => {} }, { prompt: (turn) => turn.text("Hi") }];
    expectTypeOf(agents).items.toHaveProperty("prompt").returns.toEqualTypeOf<void | Promise<void>>();
    expectTypeOf({ prompt: async () => {} }).toExtend<HelixZedAgent>();
    expectTypeOf({ prompt: async () => "end_turnn" as const }).not.toExtend<HelixZedAgent>();
    expectTypeOf({ prompt: async () => "end_turn" as const }).not.toExtend<HelixZedAgent>();
  });

  test("is an id where a thread is created, and nothing else", () => {
    const prompt = async (): Promise<void> => {};
    expectTypeOf({ prompt, newThread: async () => "thread-1" }).toExtend<HelixZedAgent>();
    expectTypeOf({ prompt, newThread: async () => 1 }).not.toExtend<HelixZedAgent>();
    expectTypeOf({ prompt, newThread: async () => {} }).not.toExtend<HelixZedAgent>();
  });
});
