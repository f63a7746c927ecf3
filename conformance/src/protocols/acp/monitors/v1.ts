import { toolKinds } from "@editwire/acp-schema";
import { isObject } from "@editwire/core";
import { defineMonitor, type SeenMessage } from "../../../core/talk/monitor.js";
import { configOptionsOf } from "../cases/agent/v1-facts.js";
import { isLaterVersion } from "../accept.js";
import { fieldsOf, isUpdateKind, ownCapabilities } from "../known-fields.js";
import { isAbsolute, openedSession, textOf, updateOf } from "./fields.js";

type Json = Record<string, unknown>;

/** Both sides introduce themselves. */
export const infoMonitor = defineMonitor(
  { id: "acp.v1.info", title: "each side gives its name and version", req: ["ACP-INFO-001", "ACP-INFO-002"] },
  (api) => ({
    message({ from, is, answers, entry }) {
      if (from !== "target") return;
      const judge = (req: string, value: unknown, field: string): void =>
        void api.require(
          req,
          isObject(value) && textOf(value[field], "name") !== "" && textOf(value[field], "version") !== "",
          entry,
          {
            message: `no ${field} with a name and a version`,
            expected: "a name and a version",
            actual: isObject(value) ? value[field] : value,
          },
        );
      if (
        api.role === "agent" &&
        is.kind === "result" &&
        answers?.method === "initialize" &&
        !isLaterVersion(is.result)
      )
        judge("ACP-INFO-001", is.result, "agentInfo");
      if (api.role === "client" && is.kind === "request" && is.method === "initialize")
        judge("ACP-INFO-002", is.params, "clientInfo");
    },
  }),
);

const gated: readonly (readonly [string, (method: string, update: string) => boolean, (offered: Json) => unknown])[] = [
  ["ACP-SERVICE-001", (method) => method === "fs/read_text_file", ({ fs }) => isObject(fs) && fs["readTextFile"]],
  ["ACP-SERVICE-001", (method) => method === "fs/write_text_file", ({ fs }) => isObject(fs) && fs["writeTextFile"]],
  ["ACP-SERVICE-002", (method) => method.startsWith("terminal/"), ({ terminal }) => terminal],
  ["ACP-SERVICE-003", (_, update) => update === "notice", ({ session }) => isObject(session) && session["notices"]],
  [
    "ACP-SERVICE-003",
    (_, update) => update.startsWith("compaction_"),
    ({ session }) => isObject(session) && session["compaction"],
  ],
  [
    "ACP-SERVICE-004",
    (method) => method === "elicitation/create",
    ({ elicitation }) => isObject(elicitation) && (elicitation["form"] ?? elicitation["url"]),
  ],
];

/** Whether a client can run a program of the agent in a terminal to sign in. */
function judgeSignIn(result: unknown, { auth }: Json, judge: (holds: boolean, actual: unknown) => void): void {
  const { authMethods } = isObject(result) ? result : {};
  if (!Array.isArray(authMethods)) return;
  const may = isObject(auth) && auth["terminal"] === true;
  judge(may || !authMethods.some((one) => isObject(one) && one["type"] === "terminal"), authMethods);
}

/** Whether each way to sign in has an id and a name. */
const areNamed = (result: unknown): boolean =>
  !isObject(result) ||
  !Array.isArray(result["authMethods"]) ||
  result["authMethods"].every((one) => textOf(one, "id") !== "" && textOf(one, "name") !== "");

/** Whether the options of a session in a result or an update are of types that the client accepts. */
function judgeSwitches(value: unknown, { session }: Json, judge: (holds: boolean, actual: unknown) => void): void {
  const { configOptions } = isObject(value) ? value : {};
  if (!Array.isArray(configOptions)) return;
  const accepted = isObject(session) && isObject(session["configOptions"]) ? session["configOptions"]["boolean"] : null;
  judge(isObject(accepted) || !configOptions.some((one) => textOf(one, "type") === "boolean"), configOptions);
}

/** An agent uses what the client offers. */
export const offeredMonitor = defineMonitor(
  {
    id: "acp.v1.offered",
    title: "the agent uses only what the client offers",
    req: [
      "ACP-SERVICE-001",
      "ACP-SERVICE-002",
      "ACP-SERVICE-003",
      "ACP-SERVICE-004",
      "ACP-AUTH-006",
      "ACP-AUTH-008",
      "ACP-CONFIG-004",
    ],
    role: "agent",
  },
  (api) => {
    let offered: Json = {};
    return {
      message(seen) {
        const { from, is, entry } = seen;
        if (from === "suite" && is.kind === "request" && is.method === "initialize" && isObject(is.params))
          offered = isObject(is.params["clientCapabilities"]) ? is.params["clientCapabilities"] : {};
        if (from === "target" && is.kind === "result" && seen.answers?.method === "initialize") {
          if (!isLaterVersion(is.result))
            api.require("ACP-AUTH-008", areNamed(is.result), entry, {
              expected: "an id and a name of each way to sign in",
              actual: is.result,
            });
          judgeSignIn(is.result, offered, (holds, actual) =>
            api.require("ACP-AUTH-006", holds, entry, { expected: "no method that needs a terminal", actual }),
          );
        }
        if (from === "target")
          judgeSwitches(is.kind === "result" ? is.result : updateOf(seen)?.update, offered, (holds, actual) =>
            api.require("ACP-CONFIG-004", holds, entry, { expected: "no option of the type boolean", actual }),
          );
        if (from !== "target" || (is.kind !== "request" && is.kind !== "notification")) return;
        const update = String(updateOf(seen)?.update["sessionUpdate"]);
        for (const [req, uses, may] of gated) {
          if (!uses(is.method, update)) continue;
          const isOffered = may(offered);
          api.require(req, isOffered === true || isObject(isOffered), entry, {
            message: `${is.method} (${update}), which the client does not offer`,
            expected: "only what the client's capabilities have",
            actual: entry.message,
          });
        }
      },
    };
  },
);

/** The ids of the terminals that a tool call shows. */
function shownTerminals({ content }: Json): string[] {
  const all: readonly unknown[] = Array.isArray(content) ? content : [];
  return all.filter((one) => textOf(one, "type") === "terminal").map((one) => textOf(one, "terminalId"));
}

/** A tool call shows terminals of the client. */
export const terminalMonitor = defineMonitor(
  {
    id: "acp.v1.terminal",
    title: "a tool call shows terminals that the client has made, before they are released",
    req: ["ACP-TERM-012", "ACP-TERM-015"],
    role: "agent",
  },
  (api) => {
    const made = new Set<string>();
    const shown = new Set<string>();
    const released = new Set<string>();
    return {
      message(seen) {
        const { from, is, answers, entry } = seen;
        if (from === "target" && is.kind === "request" && is.method === "terminal/release")
          released.add(textOf(is.params, "terminalId"));
        if (from === "suite" && is.kind === "result" && answers?.method === "terminal/create")
          made.add(textOf(is.result, "terminalId"));
        for (const id of shownTerminals(updateOf(seen)?.update ?? {})) {
          api.require("ACP-TERM-015", shown.has(id) || !released.has(id), entry, {
            message: `a tool call shows the terminal ${id} only after its release`,
            expected: "the terminal before its release",
            actual: entry.message,
          });
          shown.add(id);
          api.require("ACP-TERM-012", made.has(id), entry, {
            message: `a tool call shows the terminal ${id}, which the client did not make`,
            expected: [...made].join(", ") || "no terminal",
            actual: id,
          });
        }
      },
    };
  },
);

/** The part of a message of the target that a schema describes, with the fields that it has there. */
function partOf({ is, answers }: SeenMessage): { value: unknown; fields: ReadonlySet<string> | undefined } {
  if (is.kind === "request" || is.kind === "notification")
    return { value: is.params, fields: fieldsOf(is.method, "params") };
  return is.kind === "result" &&
    answers !== undefined &&
    !(answers.method === "initialize" && isLaterVersion(is.result))
    ? { value: is.result, fields: fieldsOf(answers.method, "result") }
    : { value: undefined, fields: undefined };
}

/** Fields that are not part of the protocol go into `_meta`. */
export const rootFieldsMonitor = defineMonitor(
  { id: "acp.v1.root-fields", title: "no field stands beside those of the protocol", req: ["ACP-META-001"] },
  (api) => ({
    message(seen) {
      if (seen.from !== "target") return;
      const { value, fields } = partOf(seen);
      const update = updateOf(seen)?.update;
      const capabilities = seen.answers?.method === "initialize" && isObject(value) ? value["agentCapabilities"] : {};
      const known = update && fieldsOf("session/update", "params", String(update["sessionUpdate"]));
      const more = [
        ...(isObject(value) && fields !== undefined ? Object.keys(value).filter((key) => !fields.has(key)) : []).filter(
          // The proposal of the remote transport shows it in the answer to initialize.
          (key) => !(key === "connectionId" && api.transport === "streamable" && seen.answers?.method === "initialize"),
        ),
        ...(update !== undefined && known !== undefined ? Object.keys(update).filter((key) => !known.has(key)) : []),
        ...ownCapabilities(capabilities),
      ];
      api.require("ACP-META-001", more.length === 0, seen.entry, {
        message: `the protocol has no ${more.join(", ")} here`,
        expected: "custom fields in _meta",
        actual: seen.entry.message,
      });
    },
  }),
);

/** Where a tool works. */
export const pathsMonitor = defineMonitor(
  {
    id: "acp.v1.paths",
    title: "the paths of a tool call are absolute, and lines begin at 1",
    req: ["ACP-PATH-001", "ACP-PATH-002"],
    role: "agent",
  },
  (api) => ({
    message(seen) {
      const { from, is } = seen;
      const { locations: given, content } = updateOf(seen)?.update ?? {};
      const locations = Array.isArray(given) ? given.filter(isObject) : [];
      const read = from === "target" && is.kind === "request" && is.method === "fs/read_text_file" ? [is.params] : [];
      const lines = [...locations, ...read.filter(isObject)].flatMap(({ line }) => line ?? []);
      if (lines.length > 0)
        api.require("ACP-PATH-002", !lines.includes(0), seen.entry, { expected: "lines from 1", actual: lines });
      const diffs = Array.isArray(content) ? content.filter((item) => textOf(item, "type") === "diff") : [];
      const paths = [...locations, ...diffs.filter(isObject)].map(({ path }) => path);
      if (paths.length === 0) return;
      api.require("ACP-PATH-001", paths.every(isAbsolute), seen.entry, { expected: "absolute paths", actual: paths });
    },
  }),
);

const kinds: readonly unknown[] = toolKinds;

/** Forms of updates that the specification leaves open, and the official schema does not. */
export const closedFormsMonitor = defineMonitor(
  {
    id: "acp.v1.closed-forms",
    title: "updates and tools are of the kinds that the schema lists, and commands are described",
    req: ["ACP-UPDATE-022"],
    role: "agent",
  },
  (api) => ({
    message(seen) {
      const { sessionUpdate, kind, availableCommands: commands } = updateOf(seen)?.update ?? {};
      const judge = (condition: boolean, expected: string): void =>
        void api.require("ACP-UPDATE-022", condition, seen.entry, { expected, actual: seen.entry.message });
      if (typeof sessionUpdate === "string")
        judge(isUpdateKind(sessionUpdate), "a kind of update that the schema lists");
      if (typeof kind === "string") judge(kinds.includes(kind), toolKinds.join(", "));
      if (Array.isArray(commands))
        judge(
          commands.every((command) => isObject(command) && typeof command["description"] === "string"),
          "a description of each command",
        );
    },
  }),
);

/** The field that the official schema requires of content blocks, and the specification does not. */
const named: Readonly<Record<string, string>> = { resource_link: "name", image: "mimeType", audio: "mimeType" };

/** Contents have what the official schema requires. */
export const contentFormsMonitor = defineMonitor(
  {
    id: "acp.v1.content-forms",
    title: "links have a name, and images and sounds a type",
    req: ["ACP-UPDATE-025"],
    role: "agent",
  },
  (api) => ({
    message(seen) {
      const { content } = updateOf(seen)?.update ?? {};
      for (const item of (Array.isArray(content) ? content : [content]).filter(isObject)) {
        const block = item["type"] === "content" && isObject(item["content"]) ? item["content"] : item;
        const field = named[textOf(block, "type")];
        if (field === undefined) continue;
        api.require("ACP-UPDATE-025", typeof block[field] === "string", seen.entry, {
          expected: `a ${field}`,
          actual: block,
        });
      }
    },
  }),
);

/** Which file of which session it is about. */
export const filesMonitor = defineMonitor(
  {
    id: "acp.v1.files",
    title: "an agent asks for files by their absolute path, in a session",
    req: ["ACP-FS-007"],
    role: "agent",
  },
  (api) => {
    const sessions = new Set<string>();
    return {
      message(seen) {
        const { from, is, entry } = seen;
        const opened = openedSession(seen);
        if (opened !== undefined) sessions.add(opened);
        if (from !== "target" || is.kind !== "request" || !is.method.startsWith("fs/")) return;
        const path = isObject(is.params) ? is.params["path"] : undefined;
        const holds = isAbsolute(path) && sessions.has(textOf(is.params, "sessionId"));
        api.require("ACP-FS-007", holds, entry, {
          expected: "an absolute path, and a session that is open",
          actual: is.params,
        });
      },
    };
  },
);

/** Options have a value from the start. */
export const configValuesMonitor = defineMonitor(
  {
    id: "acp.v1.config-values",
    title: "the current value of an option is one of its values",
    req: ["ACP-CONFIG-002"],
    role: "agent",
  },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "result") return;
      for (const { id, current, values } of configOptionsOf(is.result)) {
        if (values.length === 0) continue;
        api.require("ACP-CONFIG-002", values.includes(current), entry, {
          message: `the option ${String(id)} has a value that it does not offer`,
          expected: values,
          actual: current,
        });
      }
    },
  }),
);

/** A cancelled turn has an end. */
export const cancelledTurnMonitor = defineMonitor(
  {
    id: "acp.v1.cancelled-turn",
    title: "no part of a cancelled turn comes after its answer",
    req: ["ACP-CANCEL-012"],
    role: "agent",
  },
  (api) => {
    const over = new Set<string>();
    /** The sessions of the prompts without an answer, by their ids: a session may have another one. */
    const running = new Map<unknown, string>();
    return {
      message(seen) {
        const { from, is, answers, entry } = seen;
        if (from === "suite" && is.kind === "request") over.delete(textOf(is.params, "sessionId"));
        if (from === "suite" && is.kind === "request" && is.method === "session/prompt")
          running.set(is.id, textOf(is.params, "sessionId"));
        if (
          from === "target" &&
          answers?.method === "session/prompt" &&
          (is.kind === "result" || is.kind === "error")
        ) {
          const sessionId = textOf(answers.params, "sessionId");
          running.delete(is.id);
          const isCancelled = is.kind === "result" && textOf(is.result, "stopReason") === "cancelled";
          if (isCancelled && ![...running.values()].includes(sessionId)) over.add(sessionId);
        }
        const found = updateOf(seen);
        const kind = String(found?.update["sessionUpdate"]);
        if (found === undefined || !/^(agent_\w+_chunk|tool_call\w*|plan)$/.test(kind)) return;
        api.require("ACP-CANCEL-012", !over.has(found.sessionId), entry, {
          message: `${kind} after the answer of a cancelled turn`,
          expected: "parts of a turn before its answer",
          actual: entry.message,
        });
      },
    };
  },
);
