import { isObject, methodOf } from "@editwire/core";
import { idKey } from "../../../core/talk/message.js";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { opensSession } from "../samples.js";
import { table } from "../table.js";
import { isAbsolute, textOf } from "./fields.js";

/** The beginning of a connection, as a client has to make it. */
export const beginningMonitor = defineMonitor(
  {
    id: "acp.client.beginning",
    title: "initialize comes first and is waited for, then sessions are opened",
    req: ["ACP-INIT-003", "ACP-INIT-021", "ACP-SESSION-008"],
    role: "client",
  },
  (api) => {
    let initialize: "none" | "sent" | "answered" = "none";
    return {
      message({ from, is, answers, entry }) {
        if (from === "suite" && (is.kind === "result" || is.kind === "error") && answers?.method === "initialize")
          initialize = "answered";
        if (from !== "target" || (is.kind !== "request" && is.kind !== "notification")) return;
        const begins = is.kind === "request" && is.method === "initialize" && initialize === "none";
        api.require("ACP-INIT-003", begins || initialize === "answered", entry, {
          message:
            initialize === "none" ? `${is.method} before initialize` : `${is.method} before initialize was answered`,
          expected: "initialize first, and nothing before its answer",
          actual: entry.message,
        });
        if (is.method === "initialize")
          api.require("ACP-INIT-021", initialize === "none", entry, {
            message: "initialize for a second time",
            expected: "one initialize",
            actual: entry.message,
          });
        if (begins) initialize = "sent";
        if (is.method !== "session/new" && is.method !== "session/load") return;
        const params = isObject(is.params) ? is.params : {};
        const right = initialize === "answered" && isAbsolute(params["cwd"]) && Array.isArray(params["mcpServers"]);
        api.require("ACP-SESSION-008", right, entry, {
          message:
            initialize === "answered"
              ? `${is.method} without an absolute cwd or without mcpServers`
              : `${is.method} before initialize was answered`,
          expected: "an absolute cwd and an mcpServers array, once initialize is answered",
          actual: entry.message,
        });
      },
    };
  },
);

/** The method of each message is one that clients send. */
export const senderMonitor = defineMonitor(
  { id: "acp.client.sends", title: "only an agent sends what agents send", req: ["ACP-RPC-025"], role: "client" },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || (is.kind !== "request" && is.kind !== "notification")) return;
      api.require("ACP-RPC-025", methodOf(table, is.method)?.from !== "agent", entry, {
        message: `${is.method} from a client`,
        expected: "what clients send",
        actual: entry.message,
      });
    },
  }),
);

/** A cancel asks for no answer. */
export const cancelNotificationMonitor = defineMonitor(
  { id: "acp.client.cancel", title: "session/cancel is a notification", req: ["ACP-CANCEL-006"], role: "client" },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || (is.kind !== "request" && is.kind !== "notification") || is.method !== "session/cancel")
        return;
      api.require("ACP-CANCEL-006", is.kind === "notification", entry, {
        message: "session/cancel with an id",
        expected: "a notification",
        actual: entry.message,
      });
    },
  }),
);

/** A client switches to what it was offered. */
export const offeredModeMonitor = defineMonitor(
  { id: "acp.client.mode", title: "a mode is set that the session offers", req: ["ACP-MODE-006"], role: "client" },
  (api) => {
    const offered = new Map<string, readonly string[]>();
    return {
      message({ from, is, answers, entry }) {
        if (
          from === "suite" &&
          is.kind === "result" &&
          isObject(is.result) &&
          answers !== undefined &&
          opensSession(answers.method)
        ) {
          const { modes } = is.result;
          // A client may know the modes of a session that exists from another connection.
          if (!isObject(modes) && answers.method !== "session/new") return;
          const list: unknown[] =
            isObject(modes) && Array.isArray(modes["availableModes"]) ? modes["availableModes"] : [];
          offered.set(
            textOf(is.result, "sessionId") || textOf(answers.params, "sessionId"),
            list.map((mode) => textOf(mode, "id")),
          );
        }
        if (from !== "target" || is.kind !== "request" || is.method !== "session/set_mode") return;
        const ids = offered.get(textOf(is.params, "sessionId"));
        if (ids === undefined) return;
        api.require("ACP-MODE-006", ids.includes(textOf(is.params, "modeId")), entry, {
          message: "a mode that the session does not offer",
          expected: ids.join(" or "),
          actual: entry.message,
        });
      },
    };
  },
);

/** Permission requests that are open at a cancel are answered with `cancelled`. */
export const cancelledPermissionMonitor = defineMonitor(
  {
    id: "acp.client.cancelled-permission",
    title: "what was open at session/cancel is answered with cancelled",
    req: ["ACP-CANCEL-005"],
    role: "client",
  },
  (api) => {
    /** Sessions of open requests, by id. */
    const open = new Map<string, string>();
    const cancelled = new Set<string>();
    return {
      message({ from, is, entry }) {
        if (from === "suite" && is.kind === "request" && is.method === "session/request_permission")
          open.set(idKey(is.id), textOf(is.params, "sessionId"));
        if (from !== "target") return;
        if ((is.kind === "notification" || is.kind === "request") && is.method === "session/cancel") {
          for (const [id, sessionId] of open) if (sessionId === textOf(is.params, "sessionId")) cancelled.add(id);
        }
        if (is.kind !== "result" && is.kind !== "error") return;
        open.delete(idKey(is.id));
        if (!cancelled.delete(idKey(is.id))) return;
        const outcome =
          is.kind === "result" && isObject(is.result) ? textOf(is.result["outcome"], "outcome") : "an error";
        api.require("ACP-CANCEL-005", outcome === "cancelled", entry, {
          message: "another answer after session/cancel",
          expected: "cancelled",
          actual: entry.message,
        });
      },
    };
  },
);

/** A prompt holds what the agent can read. */
export const promptContentMonitor = defineMonitor(
  {
    id: "acp.client.prompt-content",
    title: "prompts hold blocks that the agent takes",
    req: ["ACP-TURN-015"],
    role: "client",
  },
  (api) => {
    const usable = new Set(["text", "resource_link"]);
    return {
      message({ from, is, answers, entry }) {
        if (from === "suite" && is.kind === "result" && answers?.method === "initialize" && isObject(is.result)) {
          const { agentCapabilities } = is.result;
          const can =
            isObject(agentCapabilities) && isObject(agentCapabilities["promptCapabilities"])
              ? agentCapabilities["promptCapabilities"]
              : {};
          for (const [capability, type] of Object.entries({
            image: "image",
            audio: "audio",
            embeddedContext: "resource",
          }))
            if (can[capability] === true) usable.add(type);
        }
        if (
          from !== "target" ||
          is.kind !== "request" ||
          is.method !== "session/prompt" ||
          !isObject(is.params) ||
          !Array.isArray(is.params["prompt"])
        )
          return;
        const other = (is.params["prompt"] as unknown[]).find(
          (block) => textOf(block, "type") !== "" && !usable.has(textOf(block, "type")),
        );
        api.require("ACP-TURN-015", other === undefined, entry, {
          message: "a block that the agent does not accept",
          expected: [...usable].join(", "),
          actual: other,
        });
      },
    };
  },
);
