import { isObject } from "@editwire/core";
import { fits } from "../../core/talk/judge.js";
import { examplesOf, type Fixtures, readFixtures } from "../../generate/fixtures.js";
import type { NotificationFacts } from "../../packs/notifications.js";
import type { RpcFacts } from "../../packs/rpc-facts.js";
import type { TurnFacts } from "../../packs/turns.js";
import { accept } from "./accept.js";
import { encode, sampleParams } from "./samples.js";
import type { ServerContext, TestTurn } from "./server-role.js";
import { table } from "./table.js";

let fixtures: Fixtures | undefined;

/** One full example of every message, or several. */
export const ecaFixtures = (): Fixtures => (fixtures ??= readFixtures("@editwire/eca-schema"));

const lists = new Set(["workspaceFolders", "contexts"]);

/** Clients in typed languages write null for an empty list, so a server may read it as one. */
const listed = (params: unknown): unknown =>
  isObject(params)
    ? Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, value === null && lists.has(name) ? [] : value]),
      )
    : params;
/** The facts about ECA servers for the shared packs. */
export const serverFacts: RpcFacts<ServerContext> = {
  prefix: "eca.server",
  role: "server",
  peer: "client",
  table,
  requirements: {
    answered: "ECA-RPC-012",
    refused: "ECA-RPC-011",
    coded: "ECA-RPC-011",
    unknownRequest: "ECA-RPC-006",
    silent: "ECA-RPC-007",
    once: "ECA-RPC-004",
    lives: "ECA-RPC-012",
    anyId: "ECA-RPC-010",
  },
  first: ["initialize"],
  ends: ["shutdown", "exit"],
  indifferent: [],
  simple: "chat/queryCommands",
  capabilities: (t) => t.initialized(),
  examples: (method) =>
    examplesOf(ecaFixtures(), method, "params")
      .map((one) => encode(method, "params", one))
      .filter((one) => isObject(one)),
  isValid: (method, params) => fits(table, method, "params", accept(method, "params", listed(params))) === true,
  // A server may read a malformed request as a right one, and end with a process that does not run.
  adapt: async (t, params) => ({
    ...params,
    ...("processId" in params && { processId: process.pid }),
    ...("chatId" in params && { chatId: await t.chat() }),
  }),
  params: (_t, method) => Promise.resolve(sampleParams(method)),
  ready: async (t) => void (await t.initialized()),
  alive: (t) => t.alive(),
};

interface SlowTurn {
  readonly chatId: string;
  readonly turn: TestTurn;
}

const finished = { type: "progress", state: "finished" };

/** The facts about the turns of ECA servers. */
export const serverTurns: TurnFacts<ServerContext, SlowTurn> = {
  prefix: "eca.server",
  role: "server",
  slow: "slow",
  requirements: { one: "ECA-STOP-004", again: "ECA-STOP-005" },
  async begin(t, before) {
    await t.initialized();
    const chatId = before?.chatId ?? (await t.chat());
    const turn = t.prompt(chatId, t.say("slow"));
    await turn.works();
    return { chatId, turn };
  },
  cancel: (t, { chatId }) => t.send.notify("chat/promptStop", { chatId }),
  ended: (_t, { turn }) => turn.finished(),
  runs: (t, { chatId }) => t.rest("chat/contentReceived", { chatId, content: finished }).length === 0,
};

/** The facts about notifications to ECA servers, for the shared packs: they come while a turn runs. */
export const serverNews: NotificationFacts<ServerContext> = {
  prefix: "eca.server",
  role: "server",
  peer: "client",
  table,
  survives: "ECA-RPC-012",
  ends: ["exit", "initialized"],
  examples: serverFacts.examples,
  isValid: serverFacts.isValid,
  needs: ["slow"],
  async scene(t) {
    const { chatId, turn } = await serverTurns.begin(t);
    return {
      adapt: (params) => ({ ...params, ...("chatId" in params && { chatId }) }),
      async finish() {
        t.send.notify("chat/promptStop", { chatId });
        await turn.finished();
      },
    };
  },
  alive: serverFacts.alive,
};
