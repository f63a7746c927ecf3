import { dirname } from "node:path";
import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { agentTurns } from "../../agent-facts.js";
import { defineCases, type AgentContext, cwd, type TestSession } from "../../agent-role.js";
import { confided, needsLoad, recalled } from "./session.js";
import {
  configOptionsOf,
  kindOf,
  loading,
  needsSessionCapability,
  reopened,
  reopenings,
  type SentCall,
} from "./v1-facts.js";

const chunk = { sessionUpdate: "agent_message_chunk" };
/** The largest version that the schema has. */
const UNSUPPORTED_VERSION = 65_535;
const QUIET_MS = 150;

/** A session with messages. */
async function spoken(t: AgentContext, text: string): Promise<TestSession> {
  const session = await t.session();
  await t.prompt(session, t.say("text", { text })).result({ stopReason: "end_turn" });
  return session;
}

/** The kinds of what is sent for a session until a request of it is answered, and the text of the agent's messages. */
async function sentBefore(t: AgentContext, sent: Promise<SentCall>, sessionId: string, req: string) {
  const call = await t.require(req, sent);
  await t.require(req, call.result());
  const answer = await call.response();
  // An update that arrives in one piece with the answer may be read before anybody waits for it.
  const updates = t
    .rest("session/update", { sessionId })
    .filter(({ at }) => at > call.after && at < answer.at)
    .map(({ params }) => params["update"]);
  const said = updates.flatMap((update) =>
    isObject(update) && kindOf(update) === chunk.sessionUpdate && isObject(update["content"])
      ? [String(update["content"]["text"])]
      : [],
  );
  return { kinds: updates.map(kindOf), said: said.join("") };
}

const sessionCases = defineCases({
  "initialize.unsupported-version": {
    title: "a protocolVersion that no agent supports is answered with one that this agent does",
    emits: ["ACP-INIT-011"],
    isolation: "unopened",
    async run(t) {
      const params = { protocolVersion: UNSUPPORTED_VERSION, clientCapabilities: {} };
      const { protocolVersion } = await t.require("ACP-INIT-011", t.send.request("initialize", params).result());
      const isSupported =
        Number.isInteger(protocolVersion) && Number(protocolVersion) >= 1 && protocolVersion !== UNSUPPORTED_VERSION;
      t.check("ACP-INIT-011", isSupported, { expected: "a version that the agent supports", actual: protocolVersion });
    },
  },
  "session.replay": {
    title: "a loaded session reports its history before the answer",
    emits: ["ACP-LOAD-001"],
    needs: ["text"],
    async run(t) {
      const { agentCapabilities } = await t.initialized();
      t.needs(
        isObject(agentCapabilities) && agentCapabilities["loadSession"] === true,
        "the agent does not load sessions",
      );
      const { id } = await spoken(t, "once more");
      const { kinds, said } = await sentBefore(t, loading(t, id), id, "ACP-LOAD-001");
      t.check("ACP-LOAD-001", said.includes("once more") && kinds.includes("user_message_chunk"), {
        expected: 'user_message_chunks, and agent_message_chunks that say "once more", before the answer',
        actual: kinds,
      });
      t.check("ACP-LOAD-001", said.split("once more").length <= 2, { expected: "each message once", actual: said });
    },
  },
  "session.replay-whole": {
    title: "a loaded session reports two turns in order, with the tool calls",
    emits: ["ACP-LOAD-001"],
    needs: ["text", "tool-ok"],
    async run(t) {
      await needsLoad(t);
      const session = await spoken(t, "the first");
      await t.prompt(session, t.say("tool-ok")).response();
      await t.prompt(session, t.say("text", { text: "the last" })).response();
      const ran =
        t.rest("session/update", { sessionId: session.id, update: { sessionUpdate: "tool_call" } }).length > 0;
      const { kinds, said } = await sentBefore(t, loading(t, session.id), session.id, "ACP-LOAD-001");
      const [first, last] = [said.indexOf("the first"), said.indexOf("the last")];
      t.check("ACP-LOAD-001", first >= 0 && first < last, { expected: "the first … the last", actual: said });
      t.check("ACP-LOAD-001", !ran || kinds.includes("tool_call"), { expected: "the tool call", actual: kinds });
    },
  },
  "session.meta": {
    title: "requests have a _meta",
    emits: ["ACP-META-002"],
    needs: ["text", "slow"],
    async run(t) {
      const _meta = {
        traceparent: "00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01",
        "x.example/a": [1, null],
      };
      const session = await t.require("ACP-META-002", t.session({ _meta }));
      const prompt = [{ type: "text", text: t.say("text"), _meta }];
      const params = { sessionId: session.id, prompt, _meta };
      await t.require("ACP-META-002", t.send.request("session/prompt", params).result({ stopReason: "end_turn" }));
      const other = await t.session();
      const turn = t.prompt(other, t.say("slow"));
      await t.expect.notify("session/update", { sessionId: other.id, update: chunk });
      t.send.notify("session/cancel", { sessionId: other.id, _meta });
      await t.require("ACP-META-002", turn.result({ stopReason: "cancelled" }));
    },
  },
  "turn.second-answered": {
    title: "a second prompt during a turn is answered, too",
    emits: ["ACP-TURN-019"],
    needs: ["slow", "text"],
    async run(t) {
      const session = await t.session();
      t.permit("reject_once"); // Some agents ask in every turn.
      const first = t.prompt(session, t.say("slow", { ms: 2_000 }));
      await t.expect.notify("session/update", { sessionId: session.id, update: chunk });
      const second = t.prompt(session, t.say("text"));
      t.send.notify("session/cancel", { sessionId: session.id });
      // Agents refuse it, keep it until the first turn is over, or end that turn for it; the cancel may be for either.
      await first.response();
      await t.require("ACP-TURN-019", second.response());
    },
  },
  "session.resume-in-silence": {
    title: "a resumed session repeats nothing of its history",
    emits: ["ACP-RESUME-001"],
    needs: ["text"],
    async run(t) {
      await needsSessionCapability(t, "resume");
      const { id } = await spoken(t, "once");
      const { kinds } = await sentBefore(t, Promise.resolve(reopened(t, "session/resume", id)), id, "ACP-RESUME-001");
      const parts = kinds.filter((kind) => /_chunk$|^tool_call/.test(String(kind)));
      t.check("ACP-RESUME-001", parts.length === 0, { expected: "no messages and no tool calls", actual: parts });
    },
  },
  "session.resume-memory": {
    title: "a resumed session remembers its messages",
    emits: ["ACP-RESUME-002"],
    needs: ["text", "recall"],
    async run(t) {
      await needsSessionCapability(t, "resume");
      const { session, secret } = await confided(t);
      await reopened(t, "session/resume", session.id).result();
      const said = await recalled(t, session);
      t.check("ACP-RESUME-002", said.includes(secret), { expected: "what the user said before", actual: said });
    },
  },
  "session.close-one": {
    title: "a session is closed beside another one, whose turn goes on",
    emits: ["ACP-CLOSE-002"],
    needs: ["slow"],
    async run(t) {
      await needsSessionCapability(t, "close");
      const { id: sessionId } = await t.session();
      const turn = await agentTurns.begin(t);
      await t.send.request("session/close", { sessionId }).result();
      await t.pace(QUIET_MS);
      t.check("ACP-CLOSE-002", agentTurns.runs(t, turn), { expected: "the turn goes on", actual: "it ended" });
      t.send.notify("session/cancel", { sessionId: turn.session.id });
      await t.require("ACP-CLOSE-002", agentTurns.ended(t, turn));
    },
  },
  "session.closed": {
    title: "a session is prompted after it was closed",
    emits: ["ACP-CLOSE-003"],
    needs: ["text"],
    async run(t) {
      await needsSessionCapability(t, "close");
      const session = await t.session();
      await t.send.request("session/close", { sessionId: session.id }).result();
      await t.require("ACP-CLOSE-003", t.prompt(session, t.say("text")).error());
    },
  },
  "session.close-within-turn": {
    title: "a session is closed while its turn runs",
    emits: ["ACP-CLOSE-001"],
    needs: ["slow"],
    async run(t) {
      await needsSessionCapability(t, "close");
      const { id: sessionId, modes } = await t.session();
      const turn = t.prompt({ id: sessionId, modes }, t.say("slow"));
      await t.expect.notify("session/update", { sessionId, update: chunk });
      await t.require("ACP-CLOSE-001", t.send.request("session/close", { sessionId }).result());
      await t.require("ACP-CLOSE-001", turn.result({ stopReason: "cancelled" }));
    },
  },
});

const listCases = defineCases({
  "session.list-elsewhere": {
    title: "the sessions of other folders are listed, of which one has none",
    emits: ["ACP-LIST-002"],
    async run(t) {
      await needsSessionCapability(t, "list");
      await t.session();
      const params = { cwd: `${cwd}-without-sessions` };
      const { sessions } = await t.require("ACP-LIST-002", t.send.request("session/list", params).result());
      t.check("ACP-LIST-002", Array.isArray(sessions) && sessions.length === 0, {
        expected: "no sessions",
        actual: sessions,
      });
      const above = await t.require("ACP-LIST-002", t.send.request("session/list", { cwd: dirname(cwd) }).result());
      const listed = Array.isArray(above["sessions"]) ? above["sessions"].filter(isObject) : [];
      t.check("ACP-LIST-002", !listed.some((one) => one["cwd"] === cwd), {
        expected: `sessions of ${dirname(cwd)} alone`,
        actual: listed,
      });
    },
  },
  "session.list-deleted": {
    title: "a session is deleted, and the sessions are listed",
    emits: ["ACP-LIST-004"],
    async run(t) {
      for (const name of ["list", "delete"]) await needsSessionCapability(t, name);
      const { id: sessionId } = await spoken(t, "soon deleted");
      const ids = async (): Promise<unknown[]> => {
        const { sessions } = await t.send.request("session/list", { cwd }).result();
        return (Array.isArray(sessions) ? sessions : []).map((one) => (isObject(one) ? one["sessionId"] : one));
      };
      t.needs((await ids()).includes(sessionId), "the agent does not list the session that was just used");
      await t.send.request("session/delete", { sessionId }).result();
      const left = await ids();
      t.check("ACP-LIST-004", !left.includes(sessionId), { expected: `sessions without ${sessionId}`, actual: left });
    },
  },
  "session.delete-unknown": {
    title: "a session that does not exist is deleted",
    emits: ["ACP-LIST-005"],
    async run(t) {
      await needsSessionCapability(t, "delete");
      await t.require("ACP-LIST-005", t.send.request("session/delete", { sessionId: "no-such-session" }).result());
    },
  },
  "session.list-cursor": {
    title: "sessions are listed from a cursor that the agent did not give",
    emits: ["ACP-LIST-003"],
    async run(t) {
      await needsSessionCapability(t, "list");
      await t.require("ACP-LIST-003", t.send.request("session/list", { cursor: "no-such-cursor" }).error());
    },
  },
});

const stateCases = defineCases({
  "config.set": {
    title: "an option is set, and the answer has all of them",
    emits: ["ACP-CONFIG-001"],
    async run(t) {
      await t.initialized();
      const opened = await t.send.request("session/new", { cwd, mcpServers: [] }).result();
      const options = configOptionsOf(opened);
      const [chosen] = options.filter(({ values }) => values.length > 1);
      if (chosen === undefined) return t.notApplicable("the session has no option with several values");
      const value = chosen.values.find((one) => one !== chosen.current);
      const params = { sessionId: opened["sessionId"], configId: chosen.id, value };
      const result = await t.require("ACP-CONFIG-001", t.send.request("session/set_config_option", params).result());
      const answered = configOptionsOf(result);
      // Options may depend on each other, so others may come or go.
      t.check("ACP-CONFIG-001", answered.find(({ id }) => id === chosen.id)?.current === value, {
        message: `the option ${chosen.id} was set to ${String(value)}`,
        expected: "every option with its current value",
        actual: result,
      });
      t.check("ACP-CONFIG-001", options.length === 1 || answered.length > 1, {
        message: `only one of ${options.length} options came back`,
        expected: "every option with its current value",
        actual: result,
      });
    },
  },
  "config.one-session": {
    title: "an option is set in one of two sessions, and both are opened again",
    emits: ["ACP-CONFIG-003"],
    async run(t) {
      const ways = await reopenings(t);
      const open = () => t.send.request("session/new", { cwd, mcpServers: [] }).result();
      const [first, other] = [await open(), await open()];
      const chosen = configOptionsOf(first).find(({ values }) => values.length > 1);
      if (chosen === undefined) return t.notApplicable("the session has no option with several values");
      const value = chosen.values.find((one) => one !== chosen.current);
      const wanted = [
        [first, value],
        [other, configOptionsOf(other).find(({ id }) => id === chosen.id)?.current],
      ] as const;
      await t.send
        .request("session/set_config_option", { sessionId: first["sessionId"], configId: chosen.id, value })
        .result();
      let told = 0;
      for (const reopen of ways)
        for (const [{ sessionId }, expected] of wanted) {
          const option = configOptionsOf(await reopen(String(sessionId))).find(({ id }) => id === chosen.id);
          if (option === undefined) continue;
          told += 1;
          t.check("ACP-CONFIG-003", option.current === expected, { expected, actual: option.current });
        }
      t.needs(told > 0, "a session that is opened again does not report its options");
    },
  },
  "update.whole-plans": {
    title: "every update of a plan has the whole plan",
    emits: ["ACP-PLAN-001"],
    needs: ["plan"],
    async run(t) {
      const turn = t.prompt(await t.session(), t.say("plan"));
      await turn.response();
      const sizes = turn
        .updates()
        .flatMap(({ params: { update } }) =>
          isObject(update) && kindOf(update) === "plan" && Array.isArray(update["entries"])
            ? [update["entries"].length]
            : [],
        );
      t.needs(sizes.length > 1, "the agent sends no plan with several updates");
      t.check(
        "ACP-PLAN-001",
        sizes.every((size) => size === sizes[0]),
        {
          expected: `${sizes[0]} entries each time`,
          actual: sizes,
        },
      );
    },
  },
});

/** Cases about agents that only the official dialect allows. */
export const v1Cases: readonly Case[] = [...sessionCases, ...listCases, ...stateCases];
