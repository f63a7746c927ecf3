import { describe, expectTypeOf, test } from "vitest";
import type { KaiakClientOptions, KaiakServer } from "../src/index.js";

describe("what the handler of a question answers", () => {
  test("is a text, which needs no type of its own, or nothing", () => {
    const options: KaiakClientOptions[] = [
      { question: async () => "approve" },
      { question: async () => undefined },
      { question: async ({ options }) => options?.[0] },
    ];
    expectTypeOf(options).items.toHaveProperty("question").not.toBeAny();
    expectTypeOf({ question: async () => true }).not.toExtend<KaiakClientOptions>();
  });
});

describe("what the handler of a run returns", () => {
  test("is nothing or a status, which needs no type of its own", () => {
    const servers: KaiakServer[] = [
      { prompt: async () => {} },
      { prompt: async () => "completed" },
      { prompt: async ({ incidents }) => (incidents.length === 0 ? "failed" : "completed") },
      { prompt: async (turn) => turn.text("Hi") },
    ];
    expectTypeOf(servers).items.toHaveProperty("prompt").not.toBeAny();
  });

  test("is no other text", () => {
    expectTypeOf({ prompt: async () => "completed" as const }).toExtend<KaiakServer>();
    expectTypeOf({ prompt: async () => "end_turn" as const }).not.toExtend<KaiakServer>();
    expectTypeOf({ prompt: async () => "complete" }).not.toExtend<KaiakServer>();
  });
});
