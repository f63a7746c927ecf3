import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { textOf } from "./fields.js";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Times may be rounded to seconds. */
const SECOND_MS = 1_000;
const fields = ["timestamp", "completed_at", "deleted_at", "in_use_since"];

/** How long a question waits, and a tool call took. */
function spansOf(content: unknown): [name: string, span: unknown][] {
  if (!isObject(content)) return [];
  const { timeout, result } = content;
  return [
    ["timeout", timeout],
    ["execution_time", isObject(result) ? result["execution_time"] : undefined],
  ];
}

/** The times that a server writes are of now, and a run is not completed before what it sent. */
export const timeMonitor = defineMonitor(
  {
    id: "kaiak.server.time",
    title: "the times of answers and notifications are of now, and in order",
    req: ["KAIAK-TIME-001", "KAIAK-TIME-002"],
    role: "server",
  },
  (api) => {
    /** When each session sent its last notification, by the server's clock. */
    const sent = new Map<string, number>();
    return {
      message({ from, is, entry }) {
        // A recorded session was now when it was recorded.
        if (from !== "target" || api.transport === "trace") return;
        const holder =
          is.kind === "result"
            ? is.result
            : is.kind === "notification"
              ? is.params
              : is.kind === "error"
                ? is.error.data
                : undefined;
        if (!isObject(holder)) return;
        const negative = spansOf(holder["content"]).find(([, span]) => Number(span) < 0);
        api.require("KAIAK-TIME-002", negative === undefined, entry, {
          expected: `${negative?.[0]} of 0 or more`,
          actual: negative?.[1],
        });
        const session = textOf(holder, "session_id");
        for (const field of fields) {
          const time = Date.parse(String(holder[field]));
          if (Number.isNaN(time)) continue; // its form is judged by the schema
          api.require("KAIAK-TIME-001", Math.abs(time - Date.now()) <= DAY_MS, entry, {
            expected: `${field} of about ${new Date().toISOString()}`,
            actual: holder[field],
          });
          if (field === "timestamp") sent.set(session, time);
          const before = field === "completed_at" ? sent.get(session) : undefined;
          if (before === undefined) continue;
          api.require("KAIAK-TIME-001", time >= before - SECOND_MS, entry, {
            message: "a run that was completed before its last notification",
            expected: `${new Date(before).toISOString()} or later`,
            actual: holder[field],
          });
        }
      },
    };
  },
);
