import {
  acp,
  type Acp,
  type AcpParams,
  type AcpResult,
  type AvailableCommand,
  type ContentBlock,
  McpServer,
  type PermissionOutcome,
  type PlanEntry,
  type SessionConfigOption,
  type SessionUpdate,
  type ToolCallContent,
  type ToolCallUpdate,
} from "@editwire/acp-schema";
import {
  type Connection,
  type Handlers,
  type NotificationName,
  type ParamsOf,
  type RequestName,
  type ResultOf,
  type RoleOf,
  schemaFor,
  type UnknownTag,
} from "@editwire/core";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { AgentMessageChunk, ToolCallStart, UnknownUpdate } from "../src/updates.js";

describe("narrowing", () => {
  test("a known update narrows to its variant only", () => {
    const read = (update: SessionUpdate): void => {
      switch (update.sessionUpdate) {
        case "tool_call":
          expectTypeOf(update).toEqualTypeOf<ToolCallStart>();
          expectTypeOf(update.title).toEqualTypeOf<string>();
          expectTypeOf(update.rawInput).toEqualTypeOf<unknown>();
          break;
        case "agent_message_chunk":
          expectTypeOf(update).toEqualTypeOf<AgentMessageChunk>();
          break;
        case "plan":
          expectTypeOf(update.entries).toEqualTypeOf<PlanEntry[]>();
          break;
        case "available_commands_update":
          expectTypeOf(update.availableCommands).toEqualTypeOf<AvailableCommand[]>();
          break;
        case "user_message_chunk":
        case "agent_thought_chunk":
        case "tool_call_update":
        case "current_mode_update":
        case "session_info_update":
        case "notice":
        case "compaction_update":
        case "compaction_summary_chunk":
          break;
        case "config_option_update":
          expectTypeOf(update.configOptions).toEqualTypeOf<SessionConfigOption[]>();
          break;
        case "usage_update":
          expectTypeOf(update.used).toEqualTypeOf<number>();
          break;
        default:
          expectTypeOf(update).toEqualTypeOf<UnknownUpdate>();
      }
    };
    expectTypeOf(read).parameter(0).toEqualTypeOf<SessionUpdate>();
  });

  test("blocks, tool output and outcomes narrow by their tag", () => {
    expectTypeOf<Extract<ContentBlock, { type: "text" }>["text"]>().toEqualTypeOf<string>();
    const block = null as unknown as ContentBlock;
    if (block.type === "text") expectTypeOf(block.text).toEqualTypeOf<string>();
    if (block.type === "resource") expectTypeOf(block.resource.text).toEqualTypeOf<string | undefined>();
    const output = null as unknown as ToolCallContent;
    if (output.type === "diff") expectTypeOf(output.oldText).toEqualTypeOf<string | null | undefined>();
    if (output.type === "content") expectTypeOf(output.content).toEqualTypeOf<ContentBlock>();
    const outcome = null as unknown as PermissionOutcome;
    if (outcome.outcome === "selected") expectTypeOf(outcome.optionId).toEqualTypeOf<string>();
    const server = null as unknown as McpServer;
    if (server.type === "stdio") expectTypeOf(server.args).toEqualTypeOf<string[]>();
  });

  test("a tag of one's own is written as an unknown one", () => {
    const update: SessionUpdate = { sessionUpdate: "_acme/progress" as UnknownTag, percent: 10 };
    expectTypeOf(update.sessionUpdate).toEqualTypeOf<UnknownTag>();
    // @ts-expect-error a tag that is neither known nor marked as unknown
    const wrong: SessionUpdate = { sessionUpdate: "_acme/progress" };
    // @ts-expect-error a known variant lacks its fields
    const incomplete: SessionUpdate = { sessionUpdate: "tool_call", toolCallId: "c" };
    void [wrong, incomplete];
  });
});

describe("the table", () => {
  test("roles and names", () => {
    expectTypeOf<RoleOf<Acp>>().toEqualTypeOf<"client" | "agent">();
    expectTypeOf<"session/prompt">().toExtend<RequestName<Acp, "client">>();
    expectTypeOf<"session/update">().not.toExtend<RequestName<Acp, "client">>();
    expectTypeOf<"session/cancel">().not.toExtend<RequestName<Acp, "client">>();
    expectTypeOf<NotificationName<Acp, "client">>().toEqualTypeOf<"session/cancel">();
    expectTypeOf<RequestName<Acp, "agent">>().toEqualTypeOf<
      | "session/request_permission"
      | "fs/read_text_file"
      | "fs/write_text_file"
      | "terminal/create"
      | "terminal/output"
      | "terminal/wait_for_exit"
      | "terminal/kill"
      | "terminal/release"
      | "elicitation/create"
    >();
    expectTypeOf<NotificationName<Acp, "agent">>().toEqualTypeOf<"session/update" | "elicitation/complete">();
  });

  test("params and results", () => {
    expectTypeOf<ParamsOf<Acp, "initialize">>().toEqualTypeOf<AcpParams<"initialize">>();
    expectTypeOf<ResultOf<Acp, "initialize">>().toEqualTypeOf<AcpResult<"initialize">>();
    expectTypeOf<ResultOf<Acp, "authenticate">>().toEqualTypeOf<AcpResult<"session/close">>();
    expectTypeOf<ParamsOf<Acp, "session/new">>().toEqualTypeOf<AcpParams<"session/new">>();
    expectTypeOf<ResultOf<Acp, "session/new">>().toEqualTypeOf<AcpResult<"session/new">>();
    expectTypeOf<ParamsOf<Acp, "session/prompt">>().toEqualTypeOf<AcpParams<"session/prompt">>();
    expectTypeOf<ResultOf<Acp, "session/prompt">>().toEqualTypeOf<AcpResult<"session/prompt">>();
    expectTypeOf<ParamsOf<Acp, "session/request_permission">>().toEqualTypeOf<
      AcpParams<"session/request_permission">
    >();
    expectTypeOf<ResultOf<Acp, "session/request_permission">>().toEqualTypeOf<
      AcpResult<"session/request_permission">
    >();
    expectTypeOf<ParamsOf<Acp, "session/update">>().toEqualTypeOf<AcpParams<"session/update">>();
    expectTypeOf<ResultOf<Acp, "session/update">>().toBeNever();
    expectTypeOf<AcpParams<"session/prompt">>().toEqualTypeOf<AcpParams<"session/prompt">>();
    expectTypeOf<AcpResult<"session/prompt">>().toEqualTypeOf<AcpResult<"session/prompt">>();
    // @ts-expect-error a method that the table lacks
    type Unknown = AcpParams<"session/none">;
    expectTypeOf<Unknown>().not.toBeString();
  });

  test("handlers: what a role receives, required where it must answer", () => {
    type Agent = Handlers<Acp, "agent">;
    expectTypeOf<Agent>().toHaveProperty("session/prompt");
    expectTypeOf<keyof Agent>().toEqualTypeOf<RequestName<Acp, "client"> | "session/cancel">();
    expectTypeOf<keyof Handlers<Acp, "client">>().toEqualTypeOf<
      RequestName<Acp, "agent"> | "session/update" | "elicitation/complete"
    >();
    // @ts-expect-error a client must answer permission requests
    const missing: Handlers<Acp, "client"> = {};
    const client: Handlers<Acp, "client"> = {
      "session/request_permission": ({ toolCall, options }) => {
        expectTypeOf(toolCall).toEqualTypeOf<ToolCallUpdate>();
        return { outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" } };
      },
    };
    void [missing, client];
  });

  test("calls are typed by their name", () => {
    const connection = null as unknown as Connection<Acp, "client">;
    const call = () => connection.request("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "x" }] });
    expectTypeOf(call).returns.resolves.toEqualTypeOf<AcpResult<"session/prompt">>();
    const permission = { sessionId: "s", toolCall: { toolCallId: "c" }, options: [] };
    // @ts-expect-error only agents ask for permission
    const foreign = () => connection.request("session/request_permission", permission);
    // @ts-expect-error a notification is not requested
    const cancel = () => connection.request("session/cancel", { sessionId: "s" });
    // @ts-expect-error the prompt is missing
    const bare = () => connection.request("session/prompt", { sessionId: "s" });
    void [foreign, cancel, bare];
    expectTypeOf(acp.methods["session/update"].from).toEqualTypeOf<"agent">();
  });
});

test("an interface that drifts from its schema does not compile", () => {
  // @ts-expect-error the schema lacks a field of the interface
  schemaFor<McpServer & { [key: string]: unknown; added: string }>()(McpServer);
  // @ts-expect-error the field is optional in the schema only
  schemaFor<{ [key: string]: unknown; a: string }>()(z.looseObject({ a: z.string().optional() }));
  schemaFor<{ [key: string]: unknown; a?: string | undefined }>()(z.looseObject({ a: z.string().optional() }));
});
