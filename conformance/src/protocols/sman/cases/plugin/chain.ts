import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../plugin-role.js";
import { type ToolCase, toolCases } from "./shown.js";

const method = "Shop.openShop";
const callers = ["tradeAtDawn", "tradeAtDusk"];
const callees = ["tallyCrates", "auditTotals"];

const chains: readonly ToolCase[] = [
  { name: "callers", title: "the callers are listed", req: "SMAN-CHAIN-001", params: { method }, shows: callers },
  { name: "callees", title: "the callees are listed", req: "SMAN-CHAIN-002", params: { method }, shows: callees },
  ...[["Annex", "Barn"] as const, ["Barn", "Annex"] as const].map(([owner, other]) => ({
    name: `callees-in-${owner.toLowerCase()}`,
    title: `the method of the class is analyzed where another class has one of the same name: ${owner}`,
    req: "SMAN-CHAIN-002",
    params: { method: `${owner}.countCrates`, direction: "callees" },
    shows: [`stackIn${owner}`],
    hides: [`stackIn${other}`],
  })),
  {
    name: "direction-callers",
    title: "the direction callers lists callers alone",
    req: "SMAN-CHAIN-003",
    params: { method, direction: "callers" },
    shows: callers,
    hides: callees,
  },
  {
    name: "direction-callees",
    title: "the direction callees lists callees alone",
    req: "SMAN-CHAIN-003",
    params: { method, direction: "callees" },
    shows: callees,
    hides: callers,
  },
  {
    name: "direction-both",
    title: "the direction both lists both",
    req: "SMAN-CHAIN-003",
    params: { method, direction: "both" },
    shows: [...callers, ...callees],
  },
  {
    name: "depth-default",
    title: "only what is one call away is listed by default",
    req: "SMAN-CHAIN-004",
    params: { method },
    hides: ["wakeMarket", "peekShelf"],
  },
  {
    name: "depth",
    title: "a depth of 2 lists what is two calls away",
    req: "SMAN-CHAIN-005",
    params: { method, depth: 2 },
    shows: ["wakeMarket", "peekShelf"],
  },
  {
    name: "no-source",
    title: "no source is shown by default",
    req: "SMAN-CHAIN-006",
    params: { method },
    hides: ["sourceOfOpenShop", "sourceOfTradeAtDawn"],
  },
  {
    name: "source",
    title: "source is shown if includeSource is true",
    req: "SMAN-CHAIN-007",
    params: { method, includeSource: true },
    isRight: (text) => /sourceOf(OpenShop|TradeAtDawn)/.test(text),
    expected: "the source of the method or of its caller",
  },
];

const bad: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "no-class": { method: "openShop" },
  "no-method": { method: "Shop." },
  "nothing-before-the-dot": { method: ".openShop" },
};

/** How call_chain analyzes. */
export const chainCases: readonly Case[] = [
  ...toolCases("call_chain", "chain", chains),
  ...defineCases({
    ...defineCases.each(Object.entries(bad), ([name, params]) => ({
      [`chain.${name}`]: {
        title: `a method that is not a ClassName.methodName is a failure: ${name}`,
        emits: ["SMAN-CHAIN-008"],
        run: async (t) => void (await t.fails("SMAN-CHAIN-008", "call_chain", params)),
      },
    })),
    "chain.bad-direction": {
      title: "an unknown direction is a failure",
      emits: ["SMAN-CHAIN-009"],
      async run(t) {
        const fields = t.fields("call_chain", { method, direction: "sideways" });
        const call = t.odd(fields);
        await t.require("SMAN-CHAIN-009", call.result({ success: false }));
      },
    },
    "chain.unknown-method": {
      title: "an unknown method is a failure",
      emits: ["SMAN-CHAIN-010"],
      async run(t) {
        for (const unknown of ["Shop.closeShop", "Nobody.openShop"])
          await t.fails("SMAN-CHAIN-010", "call_chain", { method: unknown });
      },
    },
    "chain.changed": {
      title: "a changed file is analyzed with its new content",
      emits: ["SMAN-CHAIN-011"],
      isolation: "connection",
      async run(t) {
        await t.succeeds("SMAN-CHAIN-011", "call_chain", { method });
        const source = (t.project.read("src/demo/Stock.java") ?? "").replaceAll("tallyCrates", "weighCrates");
        t.project.write("src/demo/Stock.java", source);
        t.project.write(
          "src/demo/Shop.java",
          (t.project.read("src/demo/Shop.java") ?? "").replaceAll("tallyCrates", "weighCrates"),
        );
        const text = await t.succeeds("SMAN-CHAIN-011", "call_chain", { method });
        const isRight = text.includes("weighCrates") && !text.includes("tallyCrates");
        t.check("SMAN-CHAIN-011", isRight, { expected: "weighCrates", actual: text });
      },
    },
  }),
];
