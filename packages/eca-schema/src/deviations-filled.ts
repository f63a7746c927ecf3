import { type Change, type Deviation, isObject, mapField, type Part, type Places, repaired } from "@editwire/core";
import {
  addedServer,
  commands,
  contentsOf,
  contexts,
  diagnostics,
  foundContexts,
  jobs,
  listedJobs,
  listedModels,
  prompts,
  promptArguments,
  resources,
  resultErrors,
  serverTools,
  updatedModels,
  whole,
} from "./places.js";
import { filled } from "./wire-forms.js";

type Facts = Omit<Parameters<typeof repaired>[0], "at" | "part">;

/** Fills fields that are absent or null. */
export function fill(defaults: Readonly<Record<string, () => unknown>>): Change {
  return (value) => {
    if (!isObject(value)) return value;
    const absent = Object.entries(defaults).filter(([key]) => value[key] === undefined || value[key] === null);
    return absent.length === 0
      ? value
      : { ...value, ...Object.fromEntries(absent.map(([key, word]) => [key, word()])) };
  };
}

const empty = (): string => "";

const absentField: Facts = {
  id: "absent-field",
  summary: "no field where the protocol requires one, read as empty, false, 0 or null",
  seen: "servers and editors of 2026",
};

function absent(at: Places, change: Change, part: Part = "params"): Deviation[] {
  return repaired({ ...absentField, at, part }, change);
}

const capabilities = (model: unknown): unknown =>
  mapField(
    fill({ capabilities: () => ({}) })(model),
    "capabilities",
    filled({ reason: false, vision: false, tools: false, webSearch: false }),
  );

const errorCode: Change = (error) =>
  isObject(error) && typeof error["code"] !== "string"
    ? { ...error, code: typeof error["code"] === "number" ? String(error["code"]) : "" }
    : error;

const onlyResources =
  (change: Change): Change =>
  (context) =>
    isObject(context) && context["type"] === "mcpResource" ? change(context) : context;

const resourceFact: Facts = {
  id: "resource-fields",
  summary: "an MCP resource without description or mimeType, read as empty",
  seen: "MCP servers, which need neither",
};
const resource = fill({ description: empty, mimeType: empty });

const promptFact: Facts = {
  id: "prompt-fields",
  summary: "an MCP prompt or its argument without description or required, read as empty and as false",
  seen: "MCP servers, which need neither",
};

/** The rows that fill a field which every dialect requires. */
export const fills: readonly Deviation[] = [
  ...repaired(
    {
      id: "A11",
      summary: "no chatId where the protocol has one, read as empty",
      seen: "Emacs",
      at: whole("chat/toolCallApprove", "chat/toolCallReject", "chat/promptStop"),
    },
    fill({ chatId: empty }),
  ),
  ...repaired(
    {
      id: "A8",
      summary: "usage without sessionTokens, read as 0",
      seen: "servers of 2025 and of 2026",
      at: contentsOf("usage"),
    },
    fill({ sessionTokens: () => 0 }),
  ),
  ...repaired({ ...resourceFact, at: contexts }, onlyResources(resource)),
  ...repaired({ ...resourceFact, at: foundContexts, part: "result" }, onlyResources(resource)),
  ...repaired({ ...resourceFact, at: resources }, resource),
  ...repaired({ ...promptFact, at: prompts }, fill({ description: empty })),
  ...repaired({ ...promptFact, at: promptArguments }, fill({ description: empty, required: () => false })),
  ...repaired(
    {
      id: "tool-fields",
      summary: "a tool without description or parameters, read as empty",
      seen: "MCP servers, which need no description",
      at: serverTools,
    },
    fill({ description: empty, parameters: () => ({}) }),
  ),
  ...absent(addedServer, withServerFields, "result"),
  ...absent(commands, fill({ description: empty }), "result"),
  ...absent(whole("chat/prompt"), fill({ model: empty }), "result"),
  ...absent(whole("chat/cleared"), fill({ messages: () => true })),
  ...absent(whole("chat/askQuestion"), fill({ allowFreeform: () => true })),
  ...absent(whole("$/progress"), fill({ title: empty })),
  ...absent(contentsOf("metadata"), fill({ title: empty })),
  ...absent({ "rewrite/contentReceived": (params, change) => mapField(params, "content", change) }, (content) =>
    isObject(content) && content["type"] === "finished" ? fill({ totalTimeMs: () => 0 })(content) : content,
  ),
  ...absent(jobs, filled({ summary: null, exitCode: null })),
  ...absent(listedJobs, filled({ summary: null, exitCode: null }), "result"),
  ...absent(whole("jobs/readOutput"), filled({ exitCode: null }), "result"),
  ...absent(updatedModels, capabilities),
  ...absent(listedModels, capabilities, "result"),
  ...absent(diagnostics, fill({ source: empty }), "result"),
  ...absent(resultErrors, errorCode, "result"),
];

/** The same for the server that `mcp/addServer` answers. */
function withServerFields(server: unknown): unknown {
  const within = (places: Places, change: Change, value: unknown): unknown =>
    places["tool/serverUpdated"]?.(value, change);
  return [
    [serverTools, fill({ description: empty, parameters: () => ({}) })],
    [prompts, fill({ description: empty })],
    [promptArguments, fill({ description: empty, required: () => false })],
    [resources, resource],
  ].reduce((value, [places, change]) => within(places as Places, change as Change, value), server);
}
