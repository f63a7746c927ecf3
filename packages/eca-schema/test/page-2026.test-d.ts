import type {
  EcaParams,
  EcaResult,
  ToolCallDetails,
  ToolCalledContent,
  ToolCallRejectedContent,
} from "@editwire/eca-schema";
import { expectTypeOf, test } from "vitest";

/** The words that an editor completes. */
type Known<Word> = Word extends string ? (string extends Word ? never : Word) : never;

type Provider = EcaParams<"providers/updated">;
type Job = EcaParams<"jobs/updated">["jobs"][number];
type Task = Extract<ToolCallDetails, { type: "task"; tasks: unknown }>["tasks"][number];
type McpServer = Extract<EcaParams<"tool/serverUpdated">, { command?: unknown; hasAuth?: unknown }>;

test("the words of the protocol page of 2026 are known", () => {
  expectTypeOf<Known<EcaParams<"$/showMessage">["type"]>>().toEqualTypeOf<"error" | "warning" | "info">();
  expectTypeOf<Known<EcaParams<"$/progress">["type"]>>().toEqualTypeOf<"start" | "finish">();
  expectTypeOf<"prompting" | "login" | "error">().toExtend<Known<EcaResult<"chat/prompt">["status"]>>();
  expectTypeOf<Known<EcaParams<"chat/contentReceived">["role"]>>().toEqualTypeOf<"user" | "system" | "assistant">();
  expectTypeOf<Known<ToolCalledContent["origin"]>>().toEqualTypeOf<"mcp" | "native" | "server" | "unknown">();
  expectTypeOf<
    "userChoiceDeny" | "userConfigDeny" | "hookRejected" | "userPromptStop" | "userStop" | "user"
  >().toExtend<Known<ToolCallRejectedContent["reason"]>>();
  expectTypeOf<Known<Task["status"]>>().toEqualTypeOf<"pending" | "in-progress" | "done">();
  expectTypeOf<Known<Task["priority"]>>().toEqualTypeOf<"high" | "medium" | "low">();
  expectTypeOf<Known<EcaParams<"chat/toolCallApprove">["save"]>>().toEqualTypeOf<"session">();
  expectTypeOf<Known<EcaResult<"chat/queryCommands">["commands"][number]["type"]>>().toEqualTypeOf<
    "mcpPrompt" | "native" | "customPrompt" | "skill"
  >();
  expectTypeOf<Known<EcaParams<"chat/rollback">["include"][number]>>().toEqualTypeOf<"messages" | "tools">();
  expectTypeOf<Known<EcaParams<"chat/statusChanged">["status"]>>().toEqualTypeOf<
    "idle" | "running" | "stopping" | "login"
  >();
  expectTypeOf<Known<EcaParams<"chat/list">["sortBy"]>>().toEqualTypeOf<"updatedAt" | "createdAt">();
  expectTypeOf<Known<EcaResult<"editor/getDiagnostics">["diagnostics"][number]["severity"]>>().toEqualTypeOf<
    "error" | "warning" | "info" | "hint"
  >();
  expectTypeOf<Known<EcaResult<"editor/getReferences">["status"]>>().toEqualTypeOf<
    "success" | "starting" | "no-server" | "error"
  >();
  expectTypeOf<"running" | "starting" | "stopped" | "failed" | "disabled" | "requires-auth">().toExtend<
    Known<McpServer["status"]>
  >();
  expectTypeOf<Known<EcaParams<"mcp/addServer">["scope"]>>().toEqualTypeOf<"global" | "workspace">();
  expectTypeOf<Known<Provider["auth"]["status"]>>().toEqualTypeOf<
    "authenticated" | "expiring" | "expired" | "unauthenticated" | "local" | "not-running"
  >();
  expectTypeOf<Known<Provider["auth"]["type"]>>().toEqualTypeOf<"oauth" | "api-key">();
  expectTypeOf<Known<Provider["auth"]["source"]>>().toEqualTypeOf<"config" | "login" | "env">();
  expectTypeOf<Known<Job["type"]>>().toEqualTypeOf<"shell">();
  expectTypeOf<Known<Job["status"]>>().toEqualTypeOf<"running" | "completed" | "failed" | "killed">();
  expectTypeOf<Known<EcaResult<"jobs/readOutput">["lines"][number]["stream"]>>().toEqualTypeOf<"stdout" | "stderr">();
});
