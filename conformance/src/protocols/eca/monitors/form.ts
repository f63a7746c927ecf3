import { methodOf } from "@editwire/core";
import { defineMonitor, type Monitor } from "../../../core/talk/monitor.js";
import { formsOf } from "../accept.js";
import { forms } from "../forms.js";
import { table } from "../table.js";

/** The requirement about one form. */
const formRequirement = (id: string): string => `ECA-FORM-${id}`;

/** Judges how the target writes what it says, by the deviations table of the schema package. */
export const formMonitors: readonly Monitor[] = (["server", "client"] as const).map((role) => {
  const ids = [...forms[role], ...forms.both];
  const header = {
    id: `eca.${role}.form`,
    title: "values are written as the specification writes them",
    req: ids.map(formRequirement),
    role,
  };
  return defineMonitor(header, (api) => ({
    message({ from, is, entry, answers }) {
      if (from !== "target" || is.kind === "invalid" || is.kind === "error") return;
      const method = is.kind === "result" ? answers?.method : is.method;
      const def = method === undefined ? undefined : methodOf(table, method);
      if (method === undefined || def === undefined) return;
      const found =
        is.kind === "result" ? formsOf(method, "result", is.result) : formsOf(method, "params", is.params ?? {});
      for (const id of ids) {
        api.require(formRequirement(id), !found.includes(id), entry, {
          message: `the form ${id} of the deviations table`,
          expected: "the specification's own form",
          actual: entry.message,
        });
      }
    },
  }));
});

/** Params are an object, or are not there. */
export const nullParamsMonitor = defineMonitor(
  { id: "eca.rpc.null-params", title: "params are not null", req: ["ECA-RPC-014"] },
  (api) => ({
    message({ from, entry, is }) {
      if (from !== "target" || (is.kind !== "request" && is.kind !== "notification")) return;
      const isNull = (entry.message as { params?: unknown }).params === null;
      api.require("ECA-RPC-014", !isNull, entry, {
        message: "params is null",
        expected: "an object, or no params",
        actual: entry.message,
      });
    },
  }),
);
