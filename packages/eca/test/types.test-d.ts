import { describe, expectTypeOf, test } from "vitest";
import type { EcaClientOptions, EcaServer, EcaPermissionHandler } from "../src/index.js";

describe("what a permission handler answers", () => {
  test("is one of the answers, which need no type of their own", () => {
    const options: EcaClientOptions[] = [
      { permission: async () => "allow_once" },
      { permission: async () => "reject_always" },
      { permission: async () => undefined },
      { permission: async ({ name }) => (name === "read_file" ? "allow_always" : "reject_once") },
      { permission: "manual" },
    ];
    expectTypeOf(options)
      .items.toHaveProperty("permission")
      .toEqualTypeOf<EcaPermissionHandler | "manual" | undefined>();
  });

  test("is no other text", () => {
    expectTypeOf(async () => "allow_once" as const).toExtend<EcaPermissionHandler>();
    expectTypeOf(async () => "allow" as const).not.toExtend<EcaPermissionHandler>();
    expectTypeOf(async () => "allow").not.toExtend<EcaPermissionHandler>();
    expectTypeOf(async () => true).not.toExtend<EcaPermissionHandler>();
    expectTypeOf({ permission: "automatic" as const }).not.toExtend<EcaClientOptions>();
  });
});

describe("what the handler of a turn returns", () => {
  test("is nothing", () => {
    const servers: EcaServer[] = [{ prompt: async () => {} }, { prompt: (turn) => turn.text("Hi") }];
    expectTypeOf(servers).items.toHaveProperty("prompt").returns.toEqualTypeOf<void | Promise<void>>();
    expectTypeOf({ prompt: async () => {} }).toExtend<EcaServer>();
    expectTypeOf({ prompt: async () => "end_turnn" as const }).not.toExtend<EcaServer>();
    expectTypeOf({ prompt: async () => "end_turn" as const }).not.toExtend<EcaServer>();
  });
});
