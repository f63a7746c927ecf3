import { isObject } from "@editwire/core";
import { fits } from "../../core/talk/judge.js";
import { workspace } from "../../core/run/workspace.js";
import { examplesOf, type Fixtures, readFixtures } from "../../generate/fixtures.js";
import type { HeaderFacts } from "../../packs/headers.js";
import type { RpcFacts } from "../../packs/rpc-facts.js";
import type { TurnFacts } from "../../packs/turns.js";
import { accept } from "./accept.js";
import { isCommand } from "./envelope.js";
import { sampleParams, wholeConfiguration } from "./samples.js";
import type { ServerContext, TestRun } from "./server-role.js";
import { table } from "./table.js";

/** The error code for any refused configuration. */
export const CONFIGURATION_ERROR = -32014;

let fixtures: Fixtures | undefined;

/** One full example of every message. */
export const kaiakFixtures = (): Fixtures => (fixtures ??= readFixtures("@editwire/kaiak-schema"));

/** An example whose workspace exists and whose session is new. */
function adapted(t: ServerContext, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { configuration } = params;
  const of = isObject(configuration) ? configuration["workspace"] : undefined;
  return {
    ...params,
    ...("session_id" in params && { session_id: t.session() }),
    ...(isObject(of) && {
      configuration: { ...(configuration as object), workspace: { ...of, working_dir: workspace } },
    }),
  };
}

/** Params that no sentence calls invalid: each has a requirement of its own. */
const unstated: Readonly<Record<string, string>> = {
  "kaiak/generate_fix incidents-array": "KAIAK-FIX-013",
  "kaiak/generate_fix incidents-0-missing": "KAIAK-FIX-013",
  "kaiak/generate_fix session_id-missing": "KAIAK-RPC-013",
  "kaiak/generate_fix session_id-null": "KAIAK-RPC-013",
  "kaiak/configure configuration-object": "KAIAK-RPC-013",
};

/** The facts about Kaiak servers for the shared packs. */
export const serverFacts: RpcFacts<ServerContext> = {
  prefix: "kaiak.server",
  role: "server",
  peer: "client",
  table,
  requirements: {
    answered: "KAIAK-RPC-012",
    refused: "KAIAK-RPC-011",
    inside: "KAIAK-RPC-013",
    coded: "KAIAK-RPC-011",
    unknownRequest: "KAIAK-RPC-006",
    silent: "KAIAK-RPC-007",
    once: "KAIAK-RPC-004",
    lives: "KAIAK-RPC-012",
    anyId: "KAIAK-RPC-010",
  },
  first: [],
  ends: [],
  turns: ["kaiak/generate_fix"],
  indifferent: [],
  mayLack: ["kaiak/interaction/respond", "kaiak/client/user_message"],
  otherCodes: (method) => (method === "kaiak/configure" ? [CONFIGURATION_ERROR] : []),
  // An unknown command is a wrong param of the method that it travels in.
  unknownCodes: (method) => (isCommand(method) ? [-32602] : []),
  async restore(t, method) {
    const params = { configuration: wholeConfiguration, reset_existing: true };
    if (method === "kaiak/configure") await t.send.request(method, params).response();
  },
  exception: (method, wrong) => unstated[`${method} ${wrong}`],
  uncoded: (method, wrong) => `${method} ${wrong}` in unstated,
  simple: "kaiak/configure",
  capabilities: (t) => t.configured(),
  examples: (method) => examplesOf(kaiakFixtures(), method, "params").filter((one) => isObject(one)),
  isValid: (method, params) => fits(table, method, "params", accept(method, "params", params)) === true,
  adapt: (t, params) => Promise.resolve(adapted(t, params)),
  params: (_t, method) => Promise.resolve(sampleParams(method)),
  ready: async (t) => void (await t.configured()),
  alive: (t) => t.alive(),
};

/** The facts about the runs of Kaiak servers. */
export const serverRuns: TurnFacts<ServerContext, TestRun> = {
  prefix: "kaiak.server",
  role: "server",
  slow: "slow",
  requirements: { one: "KAIAK-SESSION-006", again: "KAIAK-SESSION-007" },
  async begin(t, before) {
    await t.configured();
    const run = t.run(t.say("slow"), { session: before?.session });
    await run.stream("ai_response", { text: /working/ });
    return run;
  },
  cancel: (t, { id }) => t.send.notify("$/cancelRequest", { id }),
  ended: (_t, run) => run.ended({ status: "cancelled" }),
  runs: (t, { id }) => !t.history().some(({ is }) => "id" in is && is.id === id),
};

/** The facts about the byte streams of servers for the shared pack. */
export const serverHeaders: HeaderFacts<ServerContext> = {
  prefix: "kaiak.server",
  role: "server",
  forms: {
    "lower-case": "KAIAK-FRAME-005",
    "no-space": "KAIAK-FRAME-005",
    "more-fields": "KAIAK-FRAME-005",
    "content-type-first": "KAIAK-FRAME-005",
    "line-feeds": "KAIAK-FRAME-006",
  },
  pieces: "KAIAK-FRAME-004",
  ready: async (t) => void (await t.configured()),
};
