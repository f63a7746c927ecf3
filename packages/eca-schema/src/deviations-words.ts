import { type Deviation, isAbsent, isObject, kept } from "@editwire/core";
import { commands, contents, contentsOf, contexts, foundContexts, toolCallTypes, whole } from "./places.js";

type Test = (value: Record<string, unknown>) => boolean;

const serversNow = "servers of 2026";

const outside =
  (key: string, words: readonly string[]): Test =>
  (value) =>
    !isAbsent(value[key]) && !words.includes(value[key] as string);

/** The rows about words that one dialect has: the same row, with each dialect's own words. */
interface Words {
  readonly contexts: readonly string[];
  readonly contents: readonly string[];
  readonly reasons: readonly string[];
  readonly commands: readonly string[];
  readonly promptStatuses: readonly string[];
  readonly serverStatuses: readonly string[];
  readonly origins: readonly string[];
}

export const specWords: Words = {
  contexts: ["file", "directory", "web", "repoMap", "mcpResource"],
  contents: [
    ...["text", "url", "progress", "usage", "reasonStarted", "reasonText", "reasonFinished"],
    ...["toolCallPrepare", "toolCallRun", "toolCalled", "toolCallRejected"],
  ],
  reasons: ["user"],
  commands: ["mcpPrompt", "native"],
  promptStatuses: ["success"],
  serverStatuses: ["running", "starting", "stopped", "failed", "disabled"],
  origins: ["mcp", "native"],
};

export const words2026: Words = {
  contexts: [...specWords.contexts, "cursor", "image", "text"],
  contents: [
    ...specWords.contents,
    "toolCallRunning",
    "image",
    "hookActionStarted",
    "hookActionFinished",
    "metadata",
    "flag",
  ],
  reasons: ["user", "userChoiceDeny", "userConfigDeny", "hookRejected", "userPromptStop", "userStop"],
  commands: [...specWords.commands, "customPrompt", "skill"],
  promptStatuses: ["prompting", "login", "error"],
  serverStatuses: [...specWords.serverStatuses, "requires-auth"],
  origins: [...specWords.origins, "server", "unknown"],
};

/** The rows with the words of one dialect. */
export function keptWords(words: Words): Deviation[] {
  const rows = (facts: Omit<Parameters<typeof kept>[0], "seen">, test: Test): Deviation[] =>
    kept({ ...facts, seen: serversNow }, (value) => isObject(value) && test(value));
  const context = { id: "A24", summary: "a context of a type that the dialect does not have" };
  const status = outside("status", words.serverStatuses);
  return [
    ...rows({ ...context, at: contexts }, outside("type", words.contexts)),
    ...rows({ ...context, at: foundContexts, part: "result" }, outside("type", words.contexts)),
    ...rows(
      { id: "content-type", summary: "content of a type that the dialect does not have", at: contents },
      outside("type", words.contents),
    ),
    ...rows(
      {
        id: "A5",
        summary: "a reason of a rejection that the dialect does not have",
        at: contentsOf("toolCallRejected"),
      },
      outside("reason", words.reasons),
    ),
    ...rows(
      { id: "A6", summary: "an origin of a tool that the dialect does not have", at: contentsOf(...toolCallTypes) },
      outside("origin", words.origins),
    ),
    ...rows(
      { id: "A13", summary: "a command of a type that the dialect does not have", at: commands, part: "result" },
      outside("type", words.commands),
    ),
    ...rows(
      {
        id: "A12",
        summary: "a status of a prompt that the dialect does not have",
        at: whole("chat/prompt"),
        part: "result",
      },
      outside("status", words.promptStatuses),
    ),
    ...rows(
      {
        id: "A15",
        summary: "a status of an MCP server that the dialect does not have",
        at: whole("tool/serverUpdated"),
      },
      (server) => server["type"] === "mcp" && status(server),
    ),
  ];
}
