import { isObject } from "@editwire/core";
import { defineMonitor, type Monitor } from "../../../core/talk/monitor.js";

/** One part of a message, by the method that it belongs to. */
interface Part {
  readonly method: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A word that the specification writes in one way, and the schemas, which also read later peers, in several. */
interface Word {
  /** The requirement. */
  readonly req: string;
  /** Whether a part writes it in another way. */
  isOther(part: Part): boolean;
}

const objects = (list: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(list) ? list.filter((one) => isObject(one)) : [];
const isBehavior = (value: unknown): boolean => ["agent", "plan", undefined, null].includes(value as string);

const command: Word = {
  req: "ECA-FORM-A13",
  isOther: ({ method, value }) =>
    method === "chat/queryCommands" &&
    objects(value["commands"]).some(({ type }) => type !== "mcp-prompt" && type !== "native"),
};
/** The content of a `chat/contentReceived`; `{}` for another message. */
const contentIn = ({ method, value: { content } }: Part): Readonly<Record<string, unknown>> =>
  method === "chat/contentReceived" && isObject(content) ? content : {};
/** Says whether a string is none of the words that are declared for it. */
const isNoneOf = (value: unknown, ...words: readonly string[]): boolean =>
  typeof value === "string" && !words.includes(value);

const approval: Word = {
  req: "ECA-FORM-approval",
  isOther(part) {
    const { type, manualApproval } = contentIn(part);
    return type === "toolCallPrepare" && typeof manualApproval !== "boolean";
  },
};
const state: Word = {
  req: "ECA-TURN-013",
  isOther(part) {
    const { type, state: found } = contentIn(part);
    return type === "progress" && isNoneOf(found, "running", "finished");
  },
};
const role: Word = {
  req: "ECA-TURN-014",
  isOther: ({ method, value }) =>
    method === "chat/contentReceived" && isNoneOf(value["role"], "user", "system", "assistant"),
};
const server: Word = {
  req: "ECA-MCP-004",
  isOther: ({ method, value }) => method === "tool/serverUpdated" && isNoneOf(value["type"], "native", "mcp"),
};
const details: Word = {
  req: "ECA-FORM-details",
  isOther(part) {
    const { details: found } = contentIn(part);
    return isObject(found) && isNoneOf(found["type"], "fileChange");
  },
};
const behavior: Word = {
  req: "ECA-FORM-behavior",
  isOther({ method, value }) {
    const { chatBehaviors, chatDefaultBehavior, initializationOptions, behavior: wanted } = value;
    if (method === "chat/prompt") return !isBehavior(wanted);
    const option = isObject(initializationOptions) ? initializationOptions["chatBehavior"] : undefined;
    const all = Array.isArray(chatBehaviors) ? (chatBehaviors as unknown[]) : [];
    return method === "initialize" && ![chatDefaultBehavior, option, ...all].every(isBehavior);
  },
};
const nothing: Word = {
  req: "ECA-FORM-A22",
  isOther: ({ method, value }) => (method === "shutdown" || method === "exit") && Object.keys(value).length > 0,
};

const words: Readonly<Record<"server" | "client", readonly Word[]>> = {
  server: [command, approval, behavior, state, role, server, details],
  client: [behavior, nothing],
};

/** Judges words that the schemas read in more than one way. */
export const wordMonitors: readonly Monitor[] = (["server", "client"] as const).map((role) =>
  defineMonitor(
    {
      id: `eca.${role}.words`,
      title: "words are those of the specification",
      req: words[role].map(({ req }) => req),
      role,
    },
    (api) => ({
      message({ from, is, entry, answers }) {
        if (from !== "target" || is.kind === "invalid" || is.kind === "error") return;
        const method = is.kind === "result" ? answers?.method : is.method;
        const value = is.kind === "result" ? is.result : is.params;
        if (method === undefined || !isObject(value)) return;
        for (const { req, isOther } of words[role])
          api.require(req, !isOther({ method, value }), entry, {
            message: "a value or a form that the specification does not have",
            expected: "the specification's own",
            actual: entry.message,
          });
      },
    }),
  ),
);
