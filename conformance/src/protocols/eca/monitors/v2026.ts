import { eca } from "@editwire/eca-schema";
import { methodOf } from "@editwire/core";
import { judgeOf } from "../../../core/talk/judge.js";
import { defineMonitor, type Monitor } from "../../../core/talk/monitor.js";
import { acceptV2026, v2026Forms, v2026Table } from "../v2026.js";

const judge = judgeOf({ table: v2026Table, accept: acceptV2026 });
const rows = { server: ["ECA-V2026-001", "ECA-V2026-002"], client: ["ECA-V2026-020", "ECA-V2026-021"] } as const;

/** Judges what the target sends in the 2026 dialect. The requirements bind in that profile only. */
export const v2026Monitors: readonly Monitor[] = (["server", "client"] as const).map((role) => {
  const [fields, form] = rows[role];
  const header = {
    id: `eca.${role}.v2026`,
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
      const found = v2026Forms(method, part, is.kind === "result" ? is.result : (is.params ?? {}));
      api.require(form, found.length === 0, entry, {
        message: `the forms ${found.join(", ")} of the deviations table`,
        expected: "the form of the 2026 dialect",
        actual: entry.message,
      });
    },
  }));
});
