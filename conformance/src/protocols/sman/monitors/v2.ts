import { isObject, methodOf } from "@editwire/core";
import { judgeOf } from "../../../core/talk/judge.js";
import { defineMonitor, type Monitor } from "../../../core/talk/monitor.js";
import { v2Table } from "../v2.js";

const judge = judgeOf({ table: v2Table });

/** Judges the fields of the messages that only 2.0 has. The requirements bind in that profile only. */
const fieldsMonitors = (
  [
    ["backend", "SMAN-V2-001"],
    ["plugin", "SMAN-V2-020"],
  ] as const
).map(([role, req]) =>
  defineMonitor({ id: `sman.${role}.v2`, title: "messages that only 2.0 has are valid", req: [req], role }, (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "notification" || methodOf(v2Table, is.method)?.from !== role) return;
      const problem = judge.target(is, is.method);
      const expected = `valid data of ${is.method}`;
      api.require(req, problem === undefined, entry, { message: problem, expected, actual: entry.message });
    },
  })),
);

const stampedMonitor = defineMonitor(
  {
    id: "sman.backend.v2-stamps",
    title: "messages of 2.0 have data and the time",
    req: ["SMAN-V2-002"],
    role: "backend",
  },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "notification" || !isObject(entry.message)) return;
      const { data, timestamp } = entry.message;
      api.require("SMAN-V2-002", isObject(data) && Number.isSafeInteger(timestamp), entry, {
        message: "a message without data or without the time",
        expected: "data: an object, timestamp: milliseconds",
        actual: entry.message,
      });
    },
  }),
);

/** The monitors of the profile `v2`. */
export const v2Monitors: readonly Monitor[] = [...fieldsMonitors, stampedMonitor];
