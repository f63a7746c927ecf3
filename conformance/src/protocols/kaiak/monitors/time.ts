import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/monitor.js";

const DAY_MS = 24 * 60 * 60 * 1_000;
const fields = ["timestamp", "completed_at", "deleted_at", "in_use_since"];

/** The times that a server writes are of now. */
export const timeMonitor = defineMonitor(
  {
    id: "kaiak.server.time",
    title: "the times of answers and notifications are of now",
    req: ["KAIAK-TIME-001"],
    role: "server",
  },
  (api) => ({
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
      for (const field of fields) {
        const time = Date.parse(String(holder[field]));
        if (Number.isNaN(time)) continue; // its form is judged by the schema
        api.require("KAIAK-TIME-001", Math.abs(time - Date.now()) <= DAY_MS, entry, {
          expected: `${field} of about ${new Date().toISOString()}`,
          actual: holder[field],
        });
      }
    },
  }),
);
