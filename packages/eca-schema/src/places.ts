import { type Change, isObject, mapField, mapItems, type Place, type Places } from "@editwire/core";

const field = (...[key, ...rest]: readonly string[]): Place => {
  if (key === undefined) return (value, change) => change(value);
  const below = field(...rest);
  return (value, change) => mapField(value, key, (inner) => below(inner, change));
};

/** A change of every item of the list at a place. */
const items =
  (place: Place): Place =>
  (value, change) =>
    place(value, (list) => mapItems(list, change));

/** The whole value of each method. */
export function whole(...methods: readonly string[]): Places {
  return Object.fromEntries(methods.map((method) => [method, field()]));
}

/** Where the content of a chat stands. */
export const contents = { "chat/contentReceived": field("content") } satisfies Places;

/** Where content of one of some types stands. */
export function contentsOf(...types: readonly string[]): Places {
  const only =
    (change: Change): Change =>
    (content) =>
      isObject(content) && types.includes(content["type"] as string) ? change(content) : content;
  return { "chat/contentReceived": (params, change) => contents["chat/contentReceived"](params, only(change)) };
}

/** Every content type that says something about a tool call. */
export const toolCallTypes = [
  "toolCallPrepare",
  "toolCallRun",
  "toolCallRunning",
  "toolCalled",
  "toolCallRejected",
] as const;

/** Where a context stands in params. */
export const contexts = {
  "chat/prompt": items(field("contexts")),
  "chat/queryContext": items(field("contexts")),
} satisfies Places;

/** Where a context stands in results. */
export const foundContexts = {
  "chat/queryContext": items(field("contexts")),
  "chat/queryFiles": items(field("files")),
} satisfies Places;

/** Where a command stands; in results. */
export const commands = { "chat/queryCommands": items(field("commands")) } satisfies Places;

/** Where an argument of a command stands; in results. */
export const commandArguments = {
  "chat/queryCommands": (result, change) =>
    commands["chat/queryCommands"](result, (command) => items(field("arguments"))(command, change)),
} satisfies Places;

/** Where the user's options stand. */
export const initializationOptions = { initialize: field("initializationOptions") } satisfies Places;

/** Where the client says what it can do. */
export const codeAssistant = { initialize: field("capabilities", "codeAssistant") } satisfies Places;

/** Where a tool of a server stands. */
export const serverTools = { "tool/serverUpdated": items(field("tools")) } satisfies Places;

/** Where an MCP prompt of a server stands. */
export const prompts = { "tool/serverUpdated": items(field("prompts")) } satisfies Places;

/** Where an argument of an MCP prompt stands. */
export const promptArguments = {
  "tool/serverUpdated": (server, change) =>
    prompts["tool/serverUpdated"](server, (prompt) => items(field("arguments"))(prompt, change)),
} satisfies Places;

/** Where an MCP resource of a server stands. */
export const resources = { "tool/serverUpdated": items(field("resources")) } satisfies Places;

/** Where a server stands that was added; in results. */
export const addedServer = { "mcp/addServer": field("server") } satisfies Places;

/** Where a background job stands in params. */
export const jobs = { "jobs/updated": items(field("jobs")) } satisfies Places;

/** Where a background job stands in results. */
export const listedJobs = { "jobs/list": items(field("jobs")) } satisfies Places;

/** Where a model of a provider stands in params. */
export const updatedModels = { "providers/updated": items(field("models")) } satisfies Places;

/** Where a model of a provider stands in results. */
export const listedModels = {
  "providers/list": (result, change) =>
    items(field("providers"))(result, (provider) => items(field("models"))(provider, change)),
} satisfies Places;

/** Where a problem that the editor found stands; in results. */
export const diagnostics = { "editor/getDiagnostics": items(field("diagnostics")) } satisfies Places;

/** Where a result says why the request failed; in results. */
export const resultErrors = {
  "chat/open": field("error"),
  "chat/history": field("error"),
  "mcp/addServer": field("error"),
  "mcp/removeServer": field("error"),
} satisfies Places;

/** Where the place of a page of a chat's past stands; in results. */
export const historyMetas = { "chat/open": field("meta"), "chat/history": field("meta") } satisfies Places;

/** Where the configuration of chats stands. */
export const chatConfig = { "config/updated": field("chat") } satisfies Places;
