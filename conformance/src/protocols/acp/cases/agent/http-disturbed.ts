import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../agent-role.js";
import { sampleParams } from "../../samples.js";

const about = { transports: ["http"], isolation: "connection" } as const;

/** Bytes between messages that are not a message, or are larger than others: each in a POST of its own. */
const between = (
  [
    ["noise", "ACP-RPC-009"],
    ["invalid-utf8", "ACP-RPC-009"],
    ["huge:1024", "ACP-ROBUST-002"],
  ] as const
).flatMap(([fault, req]) => {
  const [name = ""] = fault.split(":");
  return defineCases(
    {
      [`http.disturbed-${name}`]: {
        title: `${name} is posted before every message`,
        emits: [req],
        faults: [fault],
        async run(t) {
          await t.require(req, t.initialized());
          await t.require(req, t.alive());
        },
      },
    },
    about,
  );
});

/** A POST that breaks off, or never comes to its end, is its sender's trouble alone. */
const within = ["cut:40", "stall:40"].flatMap((fault) => {
  const [name = ""] = fault.split(":");
  return defineCases(
    {
      [`http.disturbed-${name}`]: {
        title: `a POST ${name === "cut" ? "breaks off" : "stops"} within its message`,
        emits: ["ACP-ROBUST-005"],
        faults: [fault],
        async run(t) {
          void t.send.request("initialize", sampleParams("initialize", ""));
          const other = await t.connect();
          await t.require("ACP-ROBUST-005", other.send.request("initialize", sampleParams("initialize", "")).result());
          await t.require("ACP-ROBUST-005", other.send.request("_conformance/alive", {}).error());
        },
      },
    },
    about,
  );
});

/** Faults on HTTP. */
export const httpDisturbedCases: readonly Case[] = [...between, ...within];
