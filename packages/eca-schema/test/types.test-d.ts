import {
  type ChatContent,
  type ChatContext,
  eca,
  type Eca,
  type EcaParams,
  type EcaResult,
  type ToolCallDetails,
  type ToolCalledContent,
  type ToolCallOutput,
} from "@editwire/eca-schema";
import type {
  Connection,
  Handlers,
  NotificationName,
  ParamsOf,
  RequestName,
  ResultOf,
  RoleOf,
  UnknownTag,
} from "@editwire/core";
import { describe, expectTypeOf, test } from "vitest";
import type { ProgressContent, UnknownContent } from "../src/content.js";
import type { ShutdownResult } from "../src/lifecycle.js";
import type { ServerTool } from "../src/tool-servers.js";

describe("narrowing", () => {
  test("known content narrows to its variant only", () => {
    const read = (content: ChatContent): void => {
      switch (content.type) {
        case "progress":
          expectTypeOf(content).toEqualTypeOf<ProgressContent>();
          expectTypeOf(content.text).toEqualTypeOf<string | undefined>();
          break;
        case "toolCalled":
          expectTypeOf(content).toEqualTypeOf<ToolCalledContent>();
          expectTypeOf(content.outputs).toEqualTypeOf<ToolCallOutput[]>();
          break;
        case "text":
        case "url":
        case "usage":
        case "image":
        case "reasonStarted":
        case "reasonText":
        case "reasonFinished":
        case "hookActionStarted":
        case "hookActionFinished":
        case "metadata":
        case "flag":
        case "toolCallPrepare":
        case "toolCallRun":
        case "toolCallRunning":
        case "toolCallRejected":
          break;
        default:
          expectTypeOf(content).toEqualTypeOf<UnknownContent>();
      }
    };
    expectTypeOf(read).parameter(0).toEqualTypeOf<ChatContent>();
  });

  test("contexts, servers and details narrow by their type", () => {
    const context = null as unknown as ChatContext;
    if (context.type === "file") expectTypeOf(context.path).toEqualTypeOf<string>();
    const server = null as unknown as EcaParams<"tool/serverUpdated">;
    if (server.type === "mcp") expectTypeOf(server.args).toEqualTypeOf<string[] | undefined>();
    const details = null as unknown as ToolCallDetails;
    if (details.type === "fileChange") expectTypeOf(details.linesAdded).toEqualTypeOf<number>();
  });

  test("words that peers invent are strings, a type of one's own is written as an unknown one", () => {
    const result: EcaResult<"chat/prompt"> = { chatId: "c", model: "m", status: "resting" };
    const content: ChatContent = { type: "hologram" as UnknownTag };
    // @ts-expect-error a type that is neither known nor marked as unknown
    const wrong: ChatContent = { type: "hologram" };
    // @ts-expect-error a known variant lacks its fields
    const incomplete: ChatContent = { type: "text" };
    void [result, content, wrong, incomplete];
  });
});

describe("an application's own interfaces", () => {
  interface OwnText {
    type: "text";
    text: string;
    author: string;
  }
  interface OwnPrompt {
    message: string;
    origin: "menu" | "keyboard";
  }
  interface OwnFile {
    type: "file";
    path: string;
    icon: string;
  }
  interface OwnServer {
    type: "mcp";
    name: string;
    status: "running";
    startedAt: number;
  }

  test("are assignable, with fields that the protocol does not have", () => {
    expectTypeOf<OwnText>().toExtend<ChatContent>();
    expectTypeOf<OwnPrompt>().toExtend<EcaParams<"chat/prompt">>();
    expectTypeOf<OwnFile>().toExtend<ChatContext>();
    expectTypeOf<OwnServer>().toExtend<EcaParams<"tool/serverUpdated">>();
  });

  test("do not fit where a field is missing", () => {
    expectTypeOf<Omit<OwnText, "text">>().not.toExtend<ChatContent>();
    expectTypeOf<{ toolCallId: string }>().not.toExtend<EcaParams<"chat/toolCallApprove">>();
    expectTypeOf<{ type: "usage" }>().not.toExtend<ChatContent>();
    expectTypeOf<{ name: string }>().not.toExtend<ServerTool>();
  });
});

describe("the table", () => {
  test("roles and names", () => {
    expectTypeOf<RoleOf<Eca>>().toEqualTypeOf<"client" | "server">();
    expectTypeOf<RequestName<Eca, "server">>().toEqualTypeOf<
      "chat/askQuestion" | "editor/getDiagnostics" | "editor/getDefinition" | "editor/getReferences"
    >();
    expectTypeOf<"chat/contentReceived">().toExtend<NotificationName<Eca, "server">>();
    expectTypeOf(eca.methods["chat/prompt"].from).toEqualTypeOf<"client">();
  });

  test("params and results", () => {
    expectTypeOf<ParamsOf<Eca, "initialize">>().toEqualTypeOf<EcaParams<"initialize">>();
    expectTypeOf<ResultOf<Eca, "shutdown">>().toEqualTypeOf<ShutdownResult>();
    expectTypeOf<ParamsOf<Eca, "chat/prompt">>().toEqualTypeOf<EcaParams<"chat/prompt">>();
    expectTypeOf<ResultOf<Eca, "chat/prompt">>().toEqualTypeOf<EcaResult<"chat/prompt">>();
  });

  test("a server must answer the six requests of the specification, a client none", () => {
    // @ts-expect-error nothing is answered
    const missing: Handlers<Eca, "server"> = {};
    const client: Handlers<Eca, "client"> = {};
    const server: Handlers<Eca, "server"> = {
      initialize: () => ({}),
      shutdown: () => null,
      "chat/prompt": () => ({ chatId: "c", model: "m", status: "success" }),
      "chat/queryContext": ({ contexts }) => ({ contexts }),
      "chat/queryCommands": () => ({ commands: [] }),
      "chat/delete": () => ({}),
    };
    void [missing, client, server];
  });

  test("calls are typed by their name", () => {
    const connection = null as unknown as Connection<Eca, "client">;
    const call = () => connection.request("chat/prompt", { message: "x" });
    expectTypeOf(call).returns.resolves.toEqualTypeOf<EcaResult<"chat/prompt">>();
    // @ts-expect-error only servers ask
    const foreign = () => connection.request("chat/askQuestion", { chatId: "c", question: "x" });
    // @ts-expect-error a notification is not requested
    const stop = () => connection.request("chat/promptStop", { chatId: "c" });
    void [foreign, stop];
  });
});
