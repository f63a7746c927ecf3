import { describe, expectTypeOf, test } from "vitest";
import type { AcpAgent, AcpClientOptions, AcpPermissionHandler, AcpTurnHandler } from "../src/index.js";
import type { AcpTurns } from "../src/agent/asked-prompt.js";

describe("what a permission handler answers", () => {
  test("is one of the answers, which need no type of their own", () => {
    const handlers: Required<AcpClientOptions>["permission"][] = [
      async () => "allow_once",
      async () => "cancelled",
      async () => ({ optionId: "yes" }),
      async () => undefined,
      async ({ toolCall }) => (toolCall.kind === "read" ? "allow_always" : "reject_once"),
    ];
    expectTypeOf(handlers).items.toEqualTypeOf<AcpPermissionHandler | "manual" | undefined>();
  });

  test("is no other text", () => {
    expectTypeOf(async () => "allow_once" as const).toExtend<AcpPermissionHandler>();
    expectTypeOf(async () => "allow" as const).not.toExtend<AcpPermissionHandler>();
    expectTypeOf(async () => "allow").not.toExtend<AcpPermissionHandler>();
    expectTypeOf(async () => true).not.toExtend<AcpPermissionHandler>();
    expectTypeOf(async () => ({ option: "yes" })).not.toExtend<AcpPermissionHandler>();
  });
});

describe("what the handler of a turn returns", () => {
  test("is nothing or a stop reason, which needs no type of its own", () => {
    const agents: AcpAgent[] = [
      { prompt: async () => "end_turn" },
      { prompt: async () => "refusal" },
      { prompt: async () => {} },
      { prompt: async (turn) => turn.text("Hi") },
      { prompt: async ({ promptText }) => (promptText === "" ? "refusal" : "end_turn") },
    ];
    expectTypeOf(agents).items.toHaveProperty("prompt").toEqualTypeOf<AcpTurnHandler | AcpTurns>();
  });

  test("is no other text", () => {
    expectTypeOf(async () => "end_turn" as const).toExtend<AcpTurnHandler>();
    expectTypeOf(async () => "end_turnn" as const).not.toExtend<AcpTurnHandler>();
    expectTypeOf(async () => "end_turnn").not.toExtend<AcpTurnHandler>();
    expectTypeOf({ prompt: async () => "end_turnn" as const }).not.toExtend<AcpAgent>();
  });
});
