import { methodOf } from "@editwire/core";
import { defineMonitor, type Monitor } from "../../../core/talk/monitor.js";
import { accept, formsOf, repaired } from "../accept.js";
import { takesParams } from "../samples.js";
import { table } from "../table.js";

/** Forms that the specification does not have, by the role that writes them. */
const forms = {
  host: ["no-thread", "session-field"],
  agent: [
    "no-session",
    "context-id",
    "session-twice",
    "message-id",
    "no-request",
    "no-role",
    "other-role",
    "timestamp",
    "no-thread-id",
  ],
} as const;

/** Judges how the target writes what it says, by the deviations table of the schema package. */
export const formMonitors: readonly Monitor[] = (["agent", "host"] as const).map((role) => {
  const ids = forms[role];
  const header = {
    id: `helix-zed.${role}.form`,
    title: "values are written as the specification writes them",
    req: ids.map((id) => `HELIX-FORM-${id}`),
    role,
  };
  return defineMonitor(header, (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "notification" || methodOf(table, is.method)?.from !== role) return;
      const found = formsOf(is.method, "params", is.params);
      for (const id of ids) {
        const message = `the form ${id} of the deviations table`;
        api.require(`HELIX-FORM-${id}`, !found.includes(id), entry, {
          message,
          expected: "the specification's own form",
          actual: entry.message,
        });
      }
    },
  }));
});

/** Additions of 2026 agents to a message of the specification have the right form. */
export const additionMonitor = defineMonitor(
  {
    id: "helix-zed.agent.additions",
    title: "added fields are written as agents of 2026 write them",
    req: ["HELIX-FORM-addition"],
    role: "agent",
  },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "notification" || methodOf(table, is.method)?.from !== "agent") return;
      const { method, params } = is;
      // Other faults are the schema's business.
      if (!takesParams(method, accept(method, "params", params))) return;
      api.require("HELIX-FORM-addition", takesParams(method, repaired(method, "params", params)), entry, {
        message: "an added field of another type",
        expected: "agent_name and entry_type as texts, and usage as numbers",
        actual: entry.message,
      });
    },
  }),
);

/** Messages are of the types of the specification, or of those that later peers have. */
export const typeMonitor = defineMonitor(
  {
    id: "helix-zed.types",
    title: "messages are of known types",
    req: ["HELIX-FORM-type"],
  },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "notification") return;
      api.require("HELIX-FORM-type", methodOf(table, is.method) !== undefined, entry, {
        message: `a message of the type ${is.method}`,
        expected: "a type of the specification",
        actual: entry.message,
      });
    },
  }),
);

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A thread has the id that the specification describes. */
export const uuidMonitor = defineMonitor(
  {
    id: "helix-zed.agent.uuid",
    title: "the id of a new thread is a UUID",
    req: ["HELIX-FORM-uuid"],
    role: "agent",
  },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "notification" || is.method !== "context_created") return;
      const { acp_thread_id: id } = is.params as { acp_thread_id?: unknown };
      if (typeof id !== "string") return;
      api.require("HELIX-FORM-uuid", uuid.test(id), entry, {
        message: "the id of a thread that is not a UUID",
        expected: "a UUID",
        actual: id,
      });
    },
  }),
);
