import { agentResult, modes } from "../../as-agent.js";
import { defineCases } from "../../client-role.js";

const cwd = "/tmp";
const said = "You asked about main.c.";
const history = [
  { sessionUpdate: "user_message_chunk", content: { type: "text", text: "What did I say?" } },
  { sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } },
];

/** Sections 5.3, 5.4, 5.7 and 9: sessions and their modes. */
export const sessionCases = defineCases({
  "session.new": {
    title: "a session is opened with an absolute cwd and an mcpServers array",
    emits: ["ACP-SESSION-008"],
    smoke: true,
    async run(t) {
      const { ask } = await t.require("ACP-SESSION-008", t.session());
      const { cwd: where, mcpServers } = ask.params;
      t.check("ACP-SESSION-008", typeof where === "string" && Array.isArray(mcpServers), {
        expected: "cwd and mcpServers",
        actual: ask.params,
      });
    },
  },
  "session.no-modes": {
    title: "session/new is answered without modes",
    emits: ["ACP-SESSION-010"],
    async run(t) {
      const session = await t.require("ACP-SESSION-010", t.session({ result: (sessionId) => ({ sessionId }) }));
      await t.require("ACP-SESSION-010", t.works(session));
    },
  },
  "session.load": {
    title: "sessions are loaded with their history before the answer, after it, and without modes",
    emits: ["ACP-SESSION-010", "ACP-SESSION-011", "ACP-SESSION-015"],
    async run(t) {
      await t.initialized();
      for (const when of ["after", "before"]) {
        const id = `stored-${t.conversation.freshId()}`;
        const replay = (): void =>
          history.forEach((update) => t.send.notify("session/update", { sessionId: id, update }));
        t.answer("session/load", () => {
          if (when === "before") replay();
          return { result: when === "before" ? { modes } : {} };
        });
        const { ask, done } = await t.tell("load-session", { sessionId: id, cwd }, "session/load");
        await t.require(when === "before" ? "ACP-SESSION-011" : "ACP-SESSION-010", done);
        if (when === "after") replay();
        await t.require("ACP-SESSION-011", t.works({ id, ask }));
        if (when === "after") continue;
        const { text } = await t.report({ id, ask });
        if (text === undefined) t.notApplicable("the client does not report its text");
        t.check("ACP-SESSION-015", String(text).includes(said), { expected: said, actual: text });
      }
    },
  },
  "session.cannot-load": {
    title: "the agent does not declare that it can load sessions",
    emits: ["ACP-SESSION-012"],
    isolation: "connection",
    async run(t) {
      await t.initialize({ protocolVersion: 1, agentInfo: agentResult.agentInfo, agentCapabilities: {} });
      const session = await t.session();
      await t.require("ACP-SESSION-012", t.refrains("load-session", { sessionId: session.id, cwd }, "session/load"));
    },
  },
  "session.set-mode": {
    title: "the mode is switched, and the agent reports the switch",
    emits: ["ACP-SCHEMA-session/set_mode:params", "ACP-MODE-006", "ACP-UPDATE-017"],
    async run(t) {
      if (t.steered) await t.session();
      const session = await t.session();
      const { ask, done } = await t.require(
        "ACP-SCHEMA-session/set_mode:params",
        t.tell("set-mode", { sessionId: session.id, modeId: "read-only" }, "session/set_mode"),
      );
      await done;
      const { modeId: asked, sessionId } = ask.params;
      t.check("ACP-MODE-006", asked === "read-only" && sessionId === session.id, {
        expected: "the mode that the user chose, for the session in which they chose it",
        actual: ask.params,
      });
      // A client that shows the mode of a new session shows each later one.
      const current = { ...modes, currentModeId: "read-only" };
      const other = await t.session({ result: (id) => ({ sessionId: id, modes: current }) });
      const { modeId: first } = await t.report(other);
      t.check("ACP-UPDATE-017", first === undefined || first === current.currentModeId, {
        expected: `the mode ${current.currentModeId}, with which the session began`,
        actual: first,
      });
      // One of them is the mode that the client knew before, and one is not.
      for (const currentModeId of ["full", "read-only", "full"]) {
        t.update(session.id, { sessionUpdate: "current_mode_update", currentModeId });
        await t.works(session);
        const { modeId } = await t.report(session);
        if (modeId === undefined && first === undefined) t.notApplicable("the client does not report its mode");
        t.check("ACP-UPDATE-017", modeId === currentModeId, {
          expected: `the mode ${currentModeId}, which the agent reported last`,
          actual: modeId,
        });
      }
    },
  },
  "session.other-mode": {
    title: "the user asks for a mode that the session does not offer",
    emits: ["ACP-MODE-006"],
    async run(t) {
      const session = await t.session();
      t.answer("session/set_mode", () => ({ error: { code: -32602, message: "unsupported mode" } }));
      await t.require(
        "ACP-MODE-006",
        t.refrains("set-mode", { sessionId: session.id, modeId: "no-such-mode" }, "session/set_mode"),
      );
    },
  },
});
