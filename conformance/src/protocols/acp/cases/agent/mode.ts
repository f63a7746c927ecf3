import { isObject } from "@editwire/core";
import { matches } from "../../../../trace/pattern.js";
import { agentTurns } from "../../agent-facts.js";
import { defineCases, type AgentContext, type TestSession } from "../../agent-role.js";
import { reopenings } from "./v1-facts.js";

const update = { sessionUpdate: "current_mode_update" };
/** The modes of section 9, by id. */
const named: Readonly<Record<string, readonly [name: string, description: string]>> = {
  full: ["Full Access", "All tools available"],
  "read-only": ["Read-Only", "No local writes or execution"],
  safe: ["Safe Mode", "Excludes potentially dangerous tools"],
  sandbox: ["Sandbox Mode", "Disable local file/shell tools; use sandbox_* tools instead"],
};

/** The ids of a session's modes; without any there is nothing to judge. */
function modesOf(t: AgentContext, { modes }: TestSession): string[] {
  const available = modes?.["availableModes"];
  const ids = (Array.isArray(available) ? (available as unknown[]) : []).flatMap((mode) =>
    isObject(mode) && typeof mode["id"] === "string" ? [mode["id"]] : [],
  );
  t.needs(ids.length > 0, "the session has no modes");
  return ids;
}

/** The same, the current one last, so that each one that is set in this order is a change. */
function modesToSet(t: AgentContext, session: TestSession): string[] {
  const ids = modesOf(t, session);
  const current = session.modes?.["currentModeId"];
  return [...ids.filter((id) => id !== current), ...ids.filter((id) => id === current)];
}

type Wanted = readonly [session: TestSession, modeId: string | undefined];

async function setModes(t: AgentContext, ...wanted: readonly Wanted[]): Promise<readonly Wanted[]> {
  for (const [{ id: sessionId }, modeId] of wanted)
    await t.send.request("session/set_mode", { sessionId, modeId }).result();
  return wanted;
}

/** Opens sessions again in every way that the agent has, and compares their modes. */
async function keepsModes(t: AgentContext, wanted: readonly Wanted[]): Promise<void> {
  let told = 0;
  for (const reopen of await reopenings(t))
    for (const [{ id }, expected] of wanted) {
      const { modes } = await reopen(id);
      if (!isObject(modes)) continue;
      told += 1;
      const actual = modes["currentModeId"];
      t.check("ACP-MODE-008", actual === expected, { expected, actual });
    }
  t.needs(told > 0, "a session that is opened again does not report its mode");
}

/** Sections 5.7 and 9: what the agent may do in a session. */
export const modeCases = defineCases({
  "mode.set": {
    title: "every mode that is offered can be set, and is reported once",
    emits: ["ACP-MODE-002", "ACP-MODE-003"],
    async run(t) {
      const before = await t.session();
      const session = await t.session();
      const others = [before, await t.session()];
      for (const modeId of modesToSet(t, session)) {
        const result = await t.require(
          "ACP-MODE-002",
          t.send.request("session/set_mode", { sessionId: session.id, modeId }).result(),
        );
        // Version 1 allows _meta in every object, and the specification says nothing of it.
        t.check("ACP-MODE-002", isObject(result) && Object.keys(result).every((key) => key === "_meta"), {
          expected: "{}",
          actual: result,
        });
        const changed = await t.require(
          "ACP-MODE-003",
          t.expect.notify("session/update", { sessionId: session.id, update }),
        );
        t.check(
          "ACP-MODE-003",
          isObject(changed.params["update"]) && changed.params["update"]["currentModeId"] === modeId,
          {
            expected: `currentModeId ${modeId}`,
            actual: changed.params,
            at: changed.at,
          },
        );
        await t.require(
          "ACP-MODE-003",
          t.quiet(50, { method: "session/update", params: { sessionId: session.id, update } }),
        );
        const more = t.rest("session/update", { sessionId: session.id, update });
        t.check("ACP-MODE-003", more.length === 0, { expected: "one current_mode_update", actual: more });
        const elsewhere = others.flatMap(({ id }) => t.rest("session/update", { sessionId: id, update }));
        t.check("ACP-MODE-003", elsewhere.length === 0, { expected: "the session that was named", actual: elsewhere });
      }
    },
  },
  "mode.during-turn": {
    title: "a mode can be set while a turn runs, which goes on",
    emits: ["ACP-MODE-010"],
    needs: ["slow"],
    async run(t) {
      const turn = await agentTurns.begin(t);
      const { id: sessionId } = turn.session;
      const [modeId] = modesToSet(t, turn.session);
      await t.require("ACP-MODE-010", t.send.request("session/set_mode", { sessionId, modeId }).result());
      t.check("ACP-MODE-010", agentTurns.runs(t, turn), { expected: "the turn continues", actual: "it ended" });
      t.send.notify("session/cancel", { sessionId });
      await turn.call.response();
    },
  },
  "mode.unknown": {
    title: "an unknown mode, or none, is refused and not reported",
    emits: ["ACP-MODE-004"],
    async run(t) {
      const session = await t.session();
      const sessionId = session.id;
      const ids = modesOf(t, session);
      const [first = ""] = ids;
      for (const modeId of ["no-such-mode", first.toUpperCase()].filter((id) => !ids.includes(id)))
        await t.require("ACP-MODE-004", t.send.request("session/set_mode", { sessionId, modeId }).error());
      const message = {
        jsonrpc: "2.0",
        id: t.conversation.freshId(),
        method: "session/set_mode",
        params: { sessionId },
      };
      await t.require("ACP-MODE-004", t.send.invalid(message).error());
      await t.require("ACP-MODE-004", t.quiet(100, { method: "session/update", params: { sessionId, update } }));
      const changed = t.rest("session/update", { sessionId, update });
      t.check("ACP-MODE-004", changed.length === 0, { expected: "no current_mode_update", actual: changed });
    },
  },
  "mode.unknown-session": {
    title: "the mode of an unknown session",
    emits: ["ACP-MODE-009"],
    async run(t) {
      const [modeId = ""] = modesOf(t, await t.session());
      const params = { sessionId: "no-such-session", modeId };
      await t.require("ACP-MODE-009", t.send.request("session/set_mode", params).error());
    },
  },
  "mode.loaded": {
    title: "a session that is loaded or resumed is in the mode that was set for it",
    emits: ["ACP-MODE-008"],
    async run(t) {
      const [session, other] = [await t.session(), await t.session()];
      const ids = modesOf(t, session);
      // Both are set: a new session may begin in any mode, such as the one that was set last.
      await keepsModes(t, await setModes(t, [session, ids.at(-1)], [other, ids[0]]));
    },
  },
  "mode.kept": {
    title: "a mode outlasts turns of its session that are cancelled, end, or fail",
    emits: ["ACP-MODE-008"],
    needs: ["text", "error", "slow"],
    async run(t) {
      const turn = await agentTurns.begin(t);
      const { session } = turn;
      const ids = modesOf(t, session);
      const wanted = await setModes(t, [session, ids.at(-1)], [await t.session(), ids[0]]);
      t.send.notify("session/cancel", { sessionId: session.id });
      await turn.call.response();
      for (const name of ["text", "error"]) await t.prompt(session, t.say(name)).response();
      await keepsModes(t, wanted);
    },
  },
  "mode.names": {
    title: "the modes are those of the spec",
    emits: ["ACP-MODE-005"],
    async run(t) {
      const session = await t.session();
      const ids = modesOf(t, session);
      const expected = Object.keys(named);
      const isRight = ids.length === expected.length && expected.every((id) => ids.includes(id));
      t.check("ACP-MODE-005", isRight, { expected: expected.join(", "), actual: ids });
      const available = session.modes?.["availableModes"] as unknown[];
      for (const [id, [name, description]] of Object.entries(named)) {
        const actual = available.find((mode) => isObject(mode) && mode["id"] === id);
        if (actual === undefined) continue;
        t.check("ACP-MODE-005", matches(actual, { name, description }), { expected: { name, description }, actual });
      }
    },
  },
});
