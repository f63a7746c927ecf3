import { without } from "../../../packs/rewrites.js";
import type { Mutant } from "../../../core/mutant.js";
import { type Json, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { answered, broken, content, notified, patch } from "./server-patch.js";

const ofMcp = (change: (params: Json) => unknown) =>
  notified("tool/serverUpdated", (params) => (params["type"] === "mcp" ? change(params) : params));
const commands = (change: (command: Json) => unknown): Partial<ServerBehavior> =>
  patch({
    queryCommands: (params) => ({ commands: (rightServer.queryCommands(params)["commands"] as Json[]).map(change) }),
  });
const tools = "tool.runs";
const waits = "tool.rejected";
const echo = "turn.echo";
const life = "life.native-tools";

/** Servers that write another form, or nothing. */
export const formMutants: readonly Mutant[] = broken({
  "output-as-text": [
    "FORM-A1",
    content("toolCalled", (one) => ({ ...one, outputs: [{ type: "text", text: "ok" }] })),
    { cases: [tools] },
  ],
  "no-outputs": [
    ["FORM-A1", "TOOL-004"],
    content("toolCalled", (one) => without(one, "outputs")),
    { collateral: ["TOOL-005"], cases: [tools] },
  ],
  "commands-without-arguments": [
    "FORM-A2",
    commands((one) => ({ ...one, arguments: null })),
    { cases: ["query.commands"] },
  ],
  "runs-without-arguments": ["FORM-A3", content("toolCallRun", (one) => without(one, "arguments")), { cases: [tools] }],
  "numbers-as-arguments": [
    "FORM-A4",
    content("toolCallRun", (one) => ({ ...one, arguments: { depth: 3 } })),
    { collateral: ["TOOL-024", "TOOL-029"], cases: [tools] },
  ],
  "rejects-for-other-reasons": ["FORM-A5", { reject: "userChoiceDeny" }, { cases: [waits] }],
  "tools-of-no-origin": [
    "FORM-A6",
    content("toolCallRun", (one) => ({ ...one, origin: null })),
    { collateral: ["TOOL-025"], cases: [tools] },
  ],
  "finishes-without-a-text": [
    "FORM-A7",
    { finished: () => [{ type: "progress", state: "finished" }] },
    { cases: [echo] },
  ],
  "nulls-in-usage": [
    "FORM-A10",
    { usage: (chat) => ({ ...rightServer.usage(chat), sessionCost: null }) },
    { cases: [echo] },
  ],
  "status-prompting": [
    "FORM-A12",
    { promptResult: (chatId, params) => ({ ...rightServer.promptResult(chatId, params), status: "prompting" }) },
    { cases: [echo] },
  ],
  "custom-commands": [
    "FORM-A13",
    commands((one) => ({ ...one, type: "custom-prompt" })),
    { cases: ["query.commands"] },
  ],
  "arguments-without-required": [
    "FORM-A14",
    commands((one) => ({ ...one, arguments: [{ name: "x" }] })),
    { cases: ["query.commands"] },
  ],
  "servers-without-command": ["FORM-A15", ofMcp((params) => without(params, "command")), { cases: [life] }],
  "servers-that-are-stopping": ["FORM-A15", ofMcp((params) => ({ ...params, status: "stopping" })), { cases: [life] }],
  "null-chat-in-queries": [
    "FORM-A28",
    { queryContext: (params) => ({ chatId: null, ...rightServer.queryContext(params) }) },
    { collateral: ["FORM-A10"], cases: ["query.context"] },
  ],
  "outcome-without-error": ["FORM-A32", content("toolCalled", (one) => without(one, "error")), { cases: [tools] }],
  "content-of-its-own": ["FORM-content-type", { usage: () => ({ type: "hologram" }) }, { cases: [echo] }],
  "thinks-as-a-state": [
    "TURN-013",
    content("progress", (one) => (one["state"] === "running" ? { ...one, state: "thinking" } : one)),
    { cases: [echo] },
  ],
  "usage-of-a-tool": [
    "TURN-014",
    { contents: (role, one) => [{ role: one["type"] === "usage" ? "tool" : role, content: one }] },
    { collateral: ["TURN-003"], cases: [echo] },
  ],
  "built-in-tools": [
    "MCP-004",
    notified("tool/serverUpdated", (params) =>
      params["type"] === "native" ? { ...params, type: "built-in" } : params,
    ),
    { collateral: ["LIFE-007"], cases: [life] },
  ],
  "plugins-as-servers": ["MCP-004", ofMcp((params) => ({ ...params, type: "plugin" })), { cases: [life] }],
  "finds-contexts-of-its-own": [
    "FORM-A24",
    {
      queryContext(params) {
        const { contexts, ...rest } = rightServer.queryContext(params);
        return { ...rest, contexts: [...(contexts as Json[]), { type: "symbol", name: "main" }] };
      },
    },
    { collateral: ["QUERY-001"], cases: ["query.context"] },
  ],
  "details-of-its-own": [
    "FORM-details",
    content("toolCallRun", (one) => ({ ...one, details: { type: "patch" } })),
    { cases: [tools] },
  ],
  "delete-answers-with-text": ["SCHEMA-chat/delete:result", answered("chat/delete", "gone"), { cases: ["delete"] }],
  "shutdown-answers-with-text": [
    "SCHEMA-shutdown:result",
    answered("shutdown", "bye"),
    { collateral: ["LIFE-008"], cases: ["life.exit"] },
  ],
});
