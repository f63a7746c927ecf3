import { mutant, type Mutant } from "../../../core/mutant.js";
import { type Json, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { answered, beginning, content, notified, patch, without } from "./server-patch.js";

const form = (
  id: string,
  name: string,
  cases: readonly string[],
  switches: Partial<ServerBehavior>,
  more: readonly string[] = [],
  collateral: readonly string[] = [],
): Mutant =>
  mutant(`eca.server/${name}`, {
    violates: [...(id === "" ? [] : [`ECA-FORM-${id}`]), ...more],
    collateral,
    cases,
    patch: switches,
  });

const schema = (method: string, part: string): readonly string[] => [`ECA-SCHEMA-${method}:${part}`];
const ofMcp = (change: (params: Json) => unknown) =>
  notified("tool/serverUpdated", (params) => (params["type"] === "mcp" ? change(params) : params));
const commands = (change: (command: Json) => unknown): Partial<ServerBehavior> =>
  patch({
    queryCommands: (params) => ({ commands: (rightServer.queryCommands(params)["commands"] as Json[]).map(change) }),
  });
const tools = "eca.server.tool.runs";
const waits = "eca.server.tool.rejected";
const echo = "eca.server.turn.echo";
const life = "eca.server.life.native-tools";

/** What servers write in another form, or not at all. */
export const formMutants: readonly Mutant[] = [
  form(
    "A1",
    "output-as-text",
    [tools],
    content("toolCalled", (one) => ({ ...one, outputs: [{ type: "text", text: "ok" }] })),
  ),
  form(
    "A1",
    "no-outputs",
    [tools],
    content("toolCalled", (one) => without(one, "outputs")),
    ["ECA-TOOL-004"],
  ),
  form(
    "A2",
    "commands-without-arguments",
    ["eca.server.query.commands"],
    commands((one) => ({ ...one, arguments: null })),
  ),
  form(
    "A3",
    "runs-without-arguments",
    [tools],
    content("toolCallRun", (one) => without(one, "arguments")),
  ),
  form(
    "A4",
    "numbers-as-arguments",
    [tools],
    content("toolCallRun", (one) => ({ ...one, arguments: { depth: 3 } })),
    [],
    ["ECA-TOOL-024"],
  ),
  form("A5", "rejects-for-other-reasons", [waits], patch({ reject: "userChoiceDeny" }), [], ["ECA-TOOL-008"]),
  form(
    "A6",
    "tools-of-no-origin",
    [tools],
    content("toolCallRun", (one) => ({ ...one, origin: null })),
  ),
  form("A7", "finishes-without-a-text", [echo], patch({ finished: () => [{ type: "progress", state: "finished" }] })),
  form("A8", "usage-without-numbers", [echo], patch({ usage: () => ({ type: "usage" }) })),
  form("A10", "nulls-in-usage", [echo], patch({ usage: () => ({ ...rightServer.usage(), sessionCost: null }) })),
  form(
    "A12",
    "status-prompting",
    [echo],
    patch({ promptResult: (chatId, params) => ({ ...rightServer.promptResult(chatId, params), status: "prompting" }) }),
  ),
  form(
    "A13",
    "custom-commands",
    ["eca.server.query.commands"],
    commands((one) => ({ ...one, type: "custom-prompt" })),
  ),
  form(
    "A14",
    "arguments-without-required",
    ["eca.server.query.commands"],
    commands((one) => ({ ...one, arguments: [{ name: "x" }] })),
  ),
  form(
    "A15",
    "servers-without-command",
    [life],
    ofMcp((params) => without(params, "command", "args")),
  ),
  form(
    "A15",
    "servers-that-are-stopping",
    [life],
    ofMcp((params) => ({ ...params, status: "stopping" })),
  ),
  form(
    "A28",
    "null-chat-in-queries",
    ["eca.server.query.context"],
    patch({ queryContext: (params) => ({ chatId: null, ...rightServer.queryContext(params) }) }),
    [],
    ["ECA-FORM-A10"],
  ),
  form(
    "A32",
    "outcome-without-error",
    [tools],
    content("toolCalled", (one) => without(one, "error")),
    ["ECA-TOOL-004"],
  ),
  form("content-type", "content-of-its-own", [echo], patch({ usage: () => ({ type: "hologram" }) })),
  form(
    "resource-fields",
    "bare-resources",
    ["eca.server.query.context"],
    patch({
      queryContext: (params) => ({
        contexts: [
          ...(rightServer.queryContext(params)["contexts"] as Json[]),
          ...(params["query"] === "" && (params["contexts"] as unknown[]).length === 0
            ? [{ type: "mcpResource", uri: "file:///a", name: "a", server: "files" }]
            : []),
        ],
      }),
    }),
  ),
  form(
    "tool-fields",
    "bare-tools",
    [life],
    notified("tool/serverUpdated", (params) => ({ ...params, tools: [{ name: "x" }] })),
  ),

  form(
    "",
    "models-as-text",
    ["eca.server.life.initialize"],
    beginning({ models: "one" }),
    [...schema("initialize", "result")],
    ["ECA-LIFE-001"],
  ),
  form(
    "",
    "prompt-without-chat",
    [echo],
    patch({ promptResult: () => ({ model: "m", status: "success" }) }),
    schema("chat/prompt", "result"),
    ["ECA-CHAT-001"],
  ),
  form(
    "",
    "content-without-role",
    [echo],
    notified("chat/contentReceived", (params) => without(params, "role")),
    schema("chat/contentReceived", "params"),
    ["ECA-TURN-002", "ECA-TURN-003"],
  ),
  form(
    "",
    "costs-as-numbers",
    [echo],
    patch({ usage: () => ({ ...rightServer.usage(), messageCost: 0.1 }) }),
    schema("chat/contentReceived", "params"),
  ),
  form(
    "",
    "contexts-as-object",
    ["eca.server.query.context"],
    patch({ queryContext: () => ({ contexts: {} }) }),
    schema("chat/queryContext", "result"),
    ["ECA-QUERY-001", "ECA-QUERY-002"],
  ),
  form(
    "",
    "commands-without-names",
    ["eca.server.query.commands"],
    commands((one) => without(one, "name")),
    schema("chat/queryCommands", "result"),
    ["ECA-QUERY-003"],
  ),
  form(
    "",
    "delete-answers-with-text",
    ["eca.server.delete"],
    answered("chat/delete", "gone"),
    schema("chat/delete", "result"),
    ["ECA-DELETE-001"],
  ),
  form(
    "",
    "shutdown-answers-with-text",
    ["eca.server.life.exit"],
    answered("shutdown", "bye"),
    schema("shutdown", "result"),
    ["ECA-LIFE-008"],
  ),
  form(
    "",
    "servers-without-status",
    [life],
    ofMcp((params) => without(params, "status")),
    schema("tool/serverUpdated", "params"),
    ["ECA-MCP-002"],
  ),
  form(
    "",
    "messages-without-text",
    [life],
    patch({ messages: () => [{ type: "info" }] }),
    schema("/showMessage", "params"),
  ),
];
