import type { Notice } from "@editwire/acp-schema";
import type {
  AcpV2Params,
  AcpV2Result,
  MessageUpdate,
  Patch,
  StateUpdate,
  V2ContentBlock,
  V2SessionUpdate,
  V2ToolCallUpdate,
} from "@editwire/acp-schema/v2";
import type { UnknownTag } from "@editwire/core";
import { describe, expectTypeOf, test } from "vitest";

describe("narrowing in version 2", () => {
  test("a known update narrows to its variant only", () => {
    const read = (update: V2SessionUpdate): void => {
      switch (update.sessionUpdate) {
        case "agent_message":
          expectTypeOf(update).toEqualTypeOf<MessageUpdate<"agent_message">>();
          expectTypeOf(update.content).toEqualTypeOf<Patch<V2ContentBlock[]>>();
          break;
        case "notice":
          expectTypeOf(update).toEqualTypeOf<Notice>();
          break;
        case "tool_call_update":
          expectTypeOf(update).toExtend<V2ToolCallUpdate>();
          break;
        case "state_update":
          expectTypeOf(update).toExtend<StateUpdate>();
          if (update.state === "idle") expectTypeOf(update.stopReason).toEqualTypeOf<string | undefined>();
          break;
        default:
          break;
      }
    };
    expectTypeOf(read).returns.toEqualTypeOf<void>();
  });

  test("a variant of one's own is written with its tag as an unknown one", () => {
    const own: V2SessionUpdate = { sessionUpdate: "_acme/progress" as UnknownTag, percent: 5 };
    expectTypeOf(own).toExtend<V2SessionUpdate>();
  });
});

test("the types of a method by its name", () => {
  expectTypeOf<AcpV2Result<"session/prompt">["messageId"]>().toEqualTypeOf<string>();
  expectTypeOf<AcpV2Params<"session/prompt">["prompt"]>().toEqualTypeOf<V2ContentBlock[]>();
  expectTypeOf<AcpV2Result<"session/cancel">>().toEqualTypeOf<never>();
});
