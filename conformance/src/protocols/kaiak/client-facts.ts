import { isObject } from "@editwire/core";
import { fits } from "../../core/talk/judge.js";
import { examplesOf } from "../../generate/fixtures.js";
import { askOf, type CallFacts } from "../../packs/calls.js";
import type { NotificationFacts } from "../../packs/notifications.js";
import type { RpcFacts } from "../../packs/rpc-facts.js";
import type { TurnFacts } from "../../packs/turns.js";
import { accept } from "./accept.js";
import type { ClientContext, ClientRun } from "./client-role.js";
import { sampleParams } from "./samples.js";
import { kaiakFixtures } from "./server-facts.js";
import { table } from "./table.js";

const isValid = (method: string, part: "params" | "result", value: unknown): boolean =>
  fits(table, method, part, accept(method, part, value)) === true;

const alive = (t: ClientContext): Promise<void> => t.alive();

/** The facts about how Kaiak clients answer, for the shared packs. No request is for them. */
export const clientAnswers: RpcFacts<ClientContext> = {
  prefix: "kaiak.client",
  role: "client",
  peer: "server",
  table,
  requirements: {
    answered: "KAIAK-RPC-021",
    unknownRequest: "KAIAK-RPC-023",
    silent: "KAIAK-RPC-022",
    once: "KAIAK-RPC-004",
    lives: "KAIAK-RPC-024",
    anyId: "KAIAK-RPC-025",
  },
  first: [],
  ends: [],
  indifferent: [],
  capabilities: () => Promise.resolve({}),
  examples: () => [],
  isValid: (method, params) => isValid(method, "params", params),
  adapt: (_t, params) => Promise.resolve({ ...params }),
  params: (_t, method) => Promise.resolve(sampleParams(method)),
  ready: async (t) => void (await t.handshake()),
  alive,
};

/** The facts about notifications to Kaiak clients, for the shared packs. */
export const clientNotes: NotificationFacts<ClientContext> = {
  prefix: "kaiak.client",
  role: "client",
  peer: "server",
  table,
  survives: "KAIAK-RPC-024",
  examples: (method) => examplesOf(kaiakFixtures(), method, "params").filter((one) => isObject(one)),
  isValid: (method, params) => isValid(method, "params", params),
  async scene(t) {
    const run = await t.run(t.session());
    return {
      adapt: (params) => ({ ...params, ...("session_id" in params && { session_id: run.id }) }),
      async finish() {
        run.end();
        await run.done;
      },
    };
  },
  alive,
};

/** The facts about the requests of Kaiak clients, for the shared packs. */
export const clientCalls: CallFacts<ClientContext> = {
  prefix: "kaiak.client",
  role: "client",
  requirements: { survives: "KAIAK-RPC-026", reported: "KAIAK-RPC-027", matched: "KAIAK-RPC-020" },
  calls: [
    { method: "kaiak/generate_fix", send: (t) => t.run(t.session()) },
    {
      method: "kaiak/configure",
      async send(t) {
        await t.handshake();
        t.answer("kaiak/configure", () => undefined);
        const { configuration } = sampleParams("kaiak/configure");
        return askOf(t, () => t.act("configure", { configuration }, { optional: true }), "kaiak/configure");
      },
    },
    {
      method: "kaiak/delete_session",
      async send(t) {
        const session = t.session();
        const run = await t.run(session);
        run.end();
        await run.done;
        t.answer("kaiak/delete_session", () => undefined);
        return askOf(t, () => t.act("delete", { session, force: false }, { optional: true }), "kaiak/delete_session");
      },
    },
  ],
  results: (method) => examplesOf(kaiakFixtures(), method, "result"),
  isValid: (method, result) => isValid(method, "result", result),
  works: (t) => t.works(),
  alive,
};

/** A run, and the suite's name of its session. */
interface NamedRun {
  readonly session: string;
  readonly run: ClientRun;
}

/** The facts about two runs of Kaiak clients: the suite lets them last, and the client cancels. */
export const clientRuns: TurnFacts<ClientContext, NamedRun> = {
  prefix: "kaiak.client",
  role: "client",
  requirements: { one: "KAIAK-CALL-034", again: "KAIAK-CALL-034" },
  async begin(t, before) {
    const session = before?.session ?? t.session();
    return { session, run: await t.run(session) };
  },
  async cancel(t, { session, run }, again = false) {
    const done = t.act("cancel", { session }, { optional: true });
    // A second cancel may have nothing to say.
    if (again) return done.catch(() => {});
    await Promise.all([t.expect.notify("$/cancelRequest", { id: run.ask.id }), done]);
  },
  async ended(_t, { run }) {
    run.end("cancelled");
    await run.done;
  },
  runs: (t, { run: { ask } }) => t.rest("$/cancelRequest", { id: ask.id }).length === 0,
};
