import { eca } from "@editwire/eca-schema";
import { methodOf } from "@editwire/core";
import { judgeOf } from "../../../core/judge.js";
import { defineMonitor, type Monitor } from "../../../core/monitor.js";
import { acceptToday, todaysForms, todaysTable } from "../today.js";

const judge = judgeOf({ table: todaysTable, accept: acceptToday });
const rows = { server: ["ECA-TODAY-001", "ECA-TODAY-002"], client: ["ECA-TODAY-020", "ECA-TODAY-021"] } as const;

/** Judges what the target sends in the 2026 dialect. The requirements bind in that profile only. */
export const todayMonitors: readonly Monitor[] = (["server", "client"] as const).map((role) => {
  const [fields, form] = rows[role];
  const header = {
    id: `eca.${role}.today`,
    title: "messages are those of the 2026 dialect",
    req: [fields, form],
    role,
  };
  return defineMonitor(header, (api) => ({
    message({ from, is, entry, answers }) {
      if (from !== "target" || is.kind === "invalid" || is.kind === "error") return;
      const part = is.kind === "result" ? "result" : "params";
      const method = is.kind === "result" ? answers?.method : is.method;
      const def = method === undefined ? undefined : methodOf(eca, method);
      if (method === undefined || def === undefined || (def.from === role) !== (part === "params")) return;
      if (def.spec === undefined) {
        const problem = judge.target(is, method);
        api.require(fields, problem === undefined, entry, {
          message: problem,
          expected: `valid ${part} of ${method}`,
          actual: entry.message,
        });
      }
      const found = todaysForms(method, part, is.kind === "result" ? is.result : (is.params ?? {}));
      api.require(form, found.length === 0, entry, {
        message: `the forms ${found.join(", ")} of the deviations table`,
        expected: "the form of the 2026 dialect",
        actual: entry.message,
      });
    },
  }));
});
