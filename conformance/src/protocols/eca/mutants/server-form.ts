import { mutant, type Mutant } from "../../../core/mutant.js";
import { type Json, rightServer, type ServerBehavior } from "../reference/server-behavior.js";
import { answered, content, notified, patch, without } from "./server-patch.js";

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
  form("A5", "rejects-for-other-reasons", [waits], patch({ reject: "userChoiceDeny" }), ["ECA-TOOL-008"]),
  form(
    "A6",
    "tools-of-no-origin",
    [tools],
    content("toolCallRun", (one) => ({ ...one, origin: null })),
    [],
    ["ECA-TOOL-025"],
  ),
  form("A7", "finishes-without-a-text", [echo], patch({ finished: () => [{ type: "progress", state: "finished" }] })),
  form(
    "A10",
    "nulls-in-usage",
    [echo],
    patch({ usage: (chat) => ({ ...rightServer.usage(chat), sessionCost: null }) }),
  ),
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
    ofMcp((params) => without(params, "command")),
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
    "",
    "delete-answers-with-text",
    ["eca.server.delete"],
    answered("chat/delete", "gone"),
    schema("chat/delete", "result"),
  ),
  form(
    "",
    "shutdown-answers-with-text",
    ["eca.server.life.exit"],
    answered("shutdown", "bye"),
    schema("shutdown", "result"),
    ["ECA-LIFE-008"],
  ),
];
