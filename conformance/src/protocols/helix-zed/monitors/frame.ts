import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";

/** Where each role writes the name of a message. */
const names = { agent: "event_type", host: "type" } as const;
const envelopes = { agent: "HELIX-FRAME-002", host: "HELIX-FRAME-004" } as const;

/** Every object has the envelope of its side. */
export const envelopeMonitor = defineMonitor(
  { id: "helix-zed.envelope", title: "every message has the envelope of its side", req: Object.values(envelopes) },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || !isObject(entry.message)) return;
      const side = api.role === "host" ? "host" : "agent";
      const name = names[side];
      const isRight = typeof entry.message[name] === "string" && isObject(entry.message["data"]);
      const message = is.kind === "invalid" ? is.problem : `a message without ${name}`;
      api.require(envelopes[side], isRight, entry, {
        message,
        expected: `${name}: a text, data: an object`,
        actual: entry.message,
      });
      if (is.kind === "invalid") api.fatal(entry, is.problem);
    },
  }),
);

/** The one field at the root for which real hosts close the connection. */
export const rootTimestampMonitor = defineMonitor(
  {
    id: "helix-zed.agent.root-timestamp",
    title: "no event has a number as timestamp beside its data",
    req: ["HELIX-FRAME-003"],
    role: "agent",
  },
  (api) => ({
    message({ from, entry }) {
      if (from !== "target" || !isObject(entry.message)) return;
      const { timestamp } = entry.message;
      api.require("HELIX-FRAME-003", typeof timestamp !== "number", entry, {
        message: "a number as timestamp",
        expected: "none",
        actual: timestamp,
      });
    },
  }),
);
