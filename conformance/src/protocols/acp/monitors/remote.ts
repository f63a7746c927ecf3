import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { textOf } from "./fields.js";

/** Where an agent on the specification's HTTP sends its messages. */
export const httpMonitor = defineMonitor(
  { id: "acp.http", title: "no message is in the answer to a POST", req: ["ACP-HTTP-002"], role: "agent" },
  (api) => ({
    entry(entry) {
      if (api.transport !== "http" || entry.kind !== "event" || entry.name !== "http-response") return;
      if (!isObject(entry.data) || entry.data["method"] !== "POST" || Number(entry.data["status"]) >= 300) return;
      const body = String(entry.data["body"]);
      api.require("ACP-HTTP-002", !body.includes('"jsonrpc"'), entry, {
        message: "a message in the answer to a POST",
        expected: "an empty body, and the message on the stream",
        actual: body,
      });
    },
  }),
);

/** Where an agent on Streamable HTTP sends its messages, and how it accepts those of the client. */
export const remoteMonitor = defineMonitor(
  {
    id: "acp.v1.remote",
    title: "messages are accepted with 202, and come on the streams that they belong to",
    req: ["ACP-REMOTE-006", "ACP-REMOTE-024", "ACP-REMOTE-025"],
    role: "agent",
  },
  (api) => {
    if (api.transport !== "streamable") return {};
    /** The sessions whose streams are open. */
    const opened = new Set<string>();
    /** The kind of the message that was posted last, such as a request. Undefined for the first one of a connection. */
    let posted: unknown;
    return {
      entry(entry) {
        if (entry.kind !== "event" || !isObject(entry.data)) return;
        const { sessionId, status } = entry.data;
        if (entry.name === "sse-response" && status === 200) opened.add(String(sessionId));
        if (entry.name === "http-response") ({ posted } = entry.data);
        if (entry.name !== "http-response" || posted === undefined || Number(status) >= 300) return;
        api.require("ACP-REMOTE-006", status === 202, entry, {
          message: `a ${String(posted)}`,
          expected: "status 202",
          actual: status,
        });
      },
      message({ from, is, entry }) {
        const { framing, detail = "" } = entry.frame ?? {};
        if (from !== "target") return;
        if (framing === "response" && Number(detail) < 300 && posted !== undefined)
          api.require("ACP-REMOTE-024", false, entry, {
            message: "a message in the body of a response",
            expected: "a message on a stream",
            actual: entry.message,
          });
        if (framing !== "sse") return;
        api.require("ACP-REMOTE-024", true, entry);
        const session = is.kind === "request" || is.kind === "notification" ? textOf(is.params, "sessionId") : "";
        if (session === "" || !opened.has(session)) return;
        const stream = detail === "" ? "the stream of the connection" : `the stream of ${detail}`;
        api.require("ACP-REMOTE-025", detail === session, entry, {
          message: `${stream} has a message about ${session}`,
          expected: `the stream of ${session}`,
          actual: entry.message,
        });
      },
    };
  },
);
