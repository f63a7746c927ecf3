import { type Deviation, isAbsent, isObject, kept, methodsOf } from "@editwire/core";
import { contentsOf, contexts, toolCallTypes, whole } from "./places.js";
import { eca } from "./protocol.js";

type Test = (value: Record<string, unknown>) => boolean;

const servers2025 = "servers of 2025";
const serversNow = "servers of 2026";

const onObjects =
  (test: Test) =>
  (value: unknown): boolean =>
    isObject(value) && test(value);

const lacks =
  (...keys: readonly string[]): Test =>
  (value) =>
    keys.some((key) => isAbsent(value[key]));

/** Forms that the model accepts although neither dialect allows them. */
export const keptInBoth: readonly Deviation[] = [
  ...kept(
    {
      id: "A4",
      summary: "an argument of a tool that is not a string",
      seen: "every server",
      at: contentsOf("toolCallRun", "toolCallRunning", "toolCallRejected"),
    },
    onObjects(
      ({ arguments: words }) => isObject(words) && Object.values(words).some((word) => typeof word !== "string"),
    ),
  ),
  ...kept(
    {
      id: "A25",
      summary: "a range of lines that ends before it starts, or starts before line 1",
      seen: "no recorded peer",
      at: contexts,
    },
    onObjects(
      ({ linesRange }) =>
        isObject(linesRange) &&
        (Number(linesRange["start"]) > Number(linesRange["end"]) || Number(linesRange["start"]) < 1),
    ),
  ),
];

/** Forms of 2026 that the model accepts although the specification does not allow them. */
export const keptInSpec: readonly Deviation[] = [
  ...methodsOf(eca)
    .filter(([, { spec }]) => spec === undefined)
    .flatMap(([method]) =>
      kept(
        {
          id: "v2026-method",
          summary: "a method that only v2026 has",
          seen: serversNow,
          at: whole(method),
        },
        () => true,
      ),
    ),
  ...kept(
    {
      id: "A21",
      summary: "initialize without a processId",
      seen: "IntelliJ, ECA's own tests",
      at: whole("initialize"),
    },
    onObjects((params) => params["processId"] === undefined),
  ),
  ...kept(
    {
      id: "A18",
      summary: "an answer to initialize that lacks some of its five fields",
      seen: serversNow,
      at: whole("initialize"),
      part: "result",
    },
    onObjects(lacks("models", "chatDefaultModel", "chatBehaviors", "chatDefaultBehavior", "chatWelcomeMessage")),
  ),
  ...kept(
    {
      id: "A9",
      summary: "a prompt without a requestId, or with one that is not a string",
      seen: "Emacs (request-id), eca-cli",
      at: whole("chat/prompt"),
    },
    onObjects((params) => typeof params["requestId"] !== "string" || params["request-id"] !== undefined),
  ),
  ...kept(
    { id: "A7", summary: "progress without a text", seen: servers2025, at: contentsOf("progress") },
    onObjects(lacks("text")),
  ),
  ...kept(
    {
      id: "A8",
      summary: "usage without the numbers of the message",
      seen: "servers of 2025 and of 2026",
      at: contentsOf("usage"),
    },
    onObjects(lacks("messageInputTokens", "messageOutputTokens")),
  ),
  ...kept(
    {
      id: "A1",
      summary: "the output of a tool as text instead of content",
      seen: "every server",
      at: contentsOf("toolCalled"),
    },
    onObjects(
      ({ outputs }) =>
        Array.isArray(outputs) && outputs.some((output) => isObject(output) && isAbsent(output["content"])),
    ),
  ),
  ...kept(
    { id: "A15", summary: "an MCP server without command or args", seen: serversNow, at: whole("tool/serverUpdated") },
    onObjects((server) => server["type"] === "mcp" && lacks("command", "args")(server)),
  ),
];

/** Forms that the model accepts although `v2026` does not allow them. */
export const keptIn2026: readonly Deviation[] = [
  ...kept(
    {
      id: "A3",
      summary: "the arguments of a tool as a list",
      seen: "servers written against the specification",
      at: contentsOf("toolCalled"),
    },
    onObjects((content) => Array.isArray(content["arguments"])),
  ),
  ...kept(
    {
      id: "tool-server",
      summary: "a tool call without its server",
      seen: servers2025,
      at: contentsOf(...toolCallTypes),
    },
    onObjects(lacks("server")),
  ),
];
