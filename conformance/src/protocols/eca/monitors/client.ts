import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { contentOf, textOf } from "./fields.js";

/** The beginning of a connection, as a client has to make it. */
export const beginningMonitor = defineMonitor(
  {
    id: "eca.client.beginning",
    title: "initialize comes first and is waited for, then initialized once",
    req: ["ECA-LIFE-020", "ECA-LIFE-021", "ECA-LIFE-025"],
    role: "client",
  },
  (api) => {
    let state: "none" | "sent" | "answered" | "ready" = "none";
    return {
      message({ from, is, answers, entry }) {
        if (from === "suite" && is.kind === "result" && answers?.method === "initialize") state = "answered";
        if (from !== "target" || (is.kind !== "request" && is.kind !== "notification")) return;
        const { method } = is;
        const right =
          method === "exit" ||
          (state === "none"
            ? method === "initialize"
            : state === "answered"
              ? method === "initialized"
              : state === "ready" && method !== "initialize" && method !== "initialized");
        api.require("ECA-LIFE-020", right, entry, {
          message: `${method} out of its order`,
          expected: "initialize, its answer, initialized, then everything else",
          actual: entry.message,
        });
        if (method === "initialized" && state === "answered") state = "ready";
        if (method !== "initialize" || state !== "none") return;
        state = "sent";
        const { workspaceFolders: folders, processId } = isObject(is.params) ? is.params : {};
        // A recorded session was made elsewhere, or long ago.
        if (typeof processId === "number" && api.transport !== "trace")
          api.require("ECA-LIFE-025", isRunning(processId), entry, {
            message: "no process has this processId, so that the server should exit",
            expected: "the id of the client's process, or null",
            actual: processId,
          });
        const uris =
          Array.isArray(folders) &&
          folders.every((folder: unknown) => /^[a-z][a-z\d+.-]*:\S*$/i.test(textOf(folder, "uri")));
        api.require("ECA-LIFE-021", uris, entry, {
          message: "workspaceFolders without URIs",
          expected: "a list of folders whose uri has a scheme, and no blank",
          actual: folders,
        });
      },
    };
  },
);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isObject(error) && error["code"] === "EPERM";
  }
}

/** The user's word is about a call that waits for it. */
export const decisionMonitor = defineMonitor(
  {
    id: "eca.client.decisions",
    title: "only calls that wait for it are approved or rejected, once",
    req: ["ECA-TOOL-020", "ECA-TOOL-031"],
    role: "client",
  },
  (api) => {
    /** Calls that wait, each with its chat; `over` if the client stopped the turn. */
    let waiting: { readonly chatId: string; readonly id: unknown; over: boolean }[] = [];
    return {
      message(seen) {
        const found = contentOf(seen, "suite");
        if (
          found !== undefined &&
          found.content["type"] === "toolCallRun" &&
          found.content["manualApproval"] === true
        ) {
          const { chatId, content } = found;
          waiting = waiting.filter((call) => call.chatId !== chatId || call.id !== content["id"]);
          waiting.push({ chatId, id: content["id"], over: false });
        }
        const { from, is, answers, entry } = seen;
        if (from === "suite" && is.kind === "result" && answers?.method === "chat/delete")
          waiting = waiting.filter(({ chatId }) => chatId !== textOf(answers.params, "chatId"));
        if (from === "target" && is.kind === "notification" && is.method === "chat/promptStop")
          for (const call of waiting) call.over ||= call.chatId === textOf(is.params, "chatId");
        if (
          from !== "target" ||
          is.kind !== "notification" ||
          (is.method !== "chat/toolCallApprove" && is.method !== "chat/toolCallReject")
        )
          return;
        // An approval without a chat is judged by its form.
        const chat = isObject(is.params) ? is.params["chatId"] : undefined;
        const at = waiting.findIndex(
          ({ chatId, id }) => id === textOf(is.params, "toolCallId") && (chat ?? chatId) === chatId,
        );
        const [call] = at >= 0 ? waiting.splice(at, 1) : [];
        api.require("ECA-TOOL-031", call?.over !== true, entry, {
          message: `${is.method} of a call whose turn the client had stopped`,
          expected: "nothing about this call",
          actual: entry.message,
        });
        api.require("ECA-TOOL-020", at >= 0, entry, {
          message: `${is.method} of a call that does not wait for it`,
          expected: "chatId and id of a toolCallRun with manualApproval, once",
          actual: entry.message,
        });
      },
    };
  },
);

/** The end of a connection, as a client has to make it. */
export const endingMonitor = defineMonitor(
  {
    id: "eca.client.ending",
    title: "no request comes after shutdown, and nothing after exit",
    req: ["ECA-LIFE-027", "ECA-LIFE-028"],
    role: "client",
  },
  (api) => {
    const sent = new Set<string>();
    return {
      message({ from, is, entry }) {
        if (from !== "target" || (is.kind !== "request" && is.kind !== "notification")) return;
        const findings = { message: `${is.method} after the end`, expected: "nothing more", actual: entry.message };
        const hasLeft = sent.has("exit");
        api.require("ECA-LIFE-028", !hasLeft, entry, findings);
        const isLate = is.kind === "request" && is.method !== "exit" && sent.has("shutdown") && !hasLeft;
        api.require("ECA-LIFE-027", !isLate, entry, findings);
        sent.add(is.method);
      },
    };
  },
);

/** The id that relates a prompt to its answer. */
export const promptIdMonitor = defineMonitor(
  {
    id: "eca.client.request-ids",
    title: "no two prompts have the same requestId",
    req: ["ECA-TURN-024"],
    role: "client",
  },
  (api) => {
    const used = new Set<string>();
    return {
      message({ from, is, entry }) {
        if (from !== "target" || is.kind !== "request" || is.method !== "chat/prompt") return;
        const requestId = textOf(is.params, "requestId");
        if (requestId === "") return;
        api.require("ECA-TURN-024", !used.has(requestId), entry, {
          message: "the requestId of another prompt",
          expected: "a unique one",
          actual: requestId,
        });
        used.add(requestId);
      },
    };
  },
);
