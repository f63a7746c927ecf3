import { methodOf, methodsOf } from "@editwire/core";
import { judgeOf } from "../core/talk/judge.js";
import { defineMonitor, type Monitor } from "../core/talk/monitor.js";
import type { ConformanceProtocol } from "../core/protocol.js";

/** Names the requirement that says how one part of a method looks. */
export type SchemaRequirement = (method: string, part: "params" | "result") => string;

/** Judges every message of the target by the schema of its method: one requirement for each method and part. */
export function schemaMonitor(
  protocol: Pick<ConformanceProtocol, "table" | "name">,
  requirement: SchemaRequirement,
): Monitor {
  const req = methodsOf(protocol.table).flatMap(([method, { kind }]) => [
    requirement(method, "params"),
    ...(kind === "request" ? [requirement(method, "result")] : []),
  ]);
  const header = {
    id: `${protocol.name}.schema`,
    title: "every message has the fields that its method needs",
    req: [...new Set(req)],
  };
  return defineMonitor(header, (api) => {
    const judge = judgeOf({ table: protocol.table, accept: api.accept });
    return {
      message({ from, is, entry, answers }) {
        if (from === "suite") judge.sent(is);
        if (from !== "target" || is.kind === "invalid" || is.kind === "error") return;
        const method = is.kind === "result" ? answers?.method : is.method;
        const part = is.kind === "result" ? "result" : "params";
        if (method === undefined) return;
        const def = methodOf(protocol.table, method);
        // A method of the other role counts as unknown, and so does an answer to a notification. Neither is judged by
        // its schema.
        if (
          def === undefined ||
          (part === "result" && def.kind !== "request") ||
          (def.from !== "both" && (def.from === api.role) !== (part === "params"))
        )
          return;
        const id = requirement(method, part);
        const problem =
          is.kind !== "result" && is.kind !== def.kind
            ? `${method} is a ${def.kind}, not a ${is.kind}`
            : judge.target(is, method);
        api.require(id, problem === undefined, entry, {
          message: problem,
          expected: `valid ${part} of ${method}`,
          actual: entry.message,
        });
      },
    };
  });
}
