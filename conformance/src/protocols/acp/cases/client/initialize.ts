import { idKey } from "../../../../core/talk/message.js";
import { agentResult } from "../../as-agent.js";
import { defineCases } from "../../client-role.js";

const QUIET_MS = 150;
/** For a client that has something to do before it opens a session, on a busy machine. */
const PATIENT_MS = 500;

/** Results of initialize that say nothing of a version which a client could speak. */
const malformed: Readonly<Record<string, unknown>> = {
  null: null,
  text: "ready",
  "no-version": { agentCapabilities: {} },
  "version-null": { ...agentResult, protocolVersion: null },
  "version-object": { ...agentResult, protocolVersion: {} },
};

/** Sections 3, 4 and 5.1: the beginning. */
export const initializeCases = defineCases({
  ...defineCases.each(Object.entries(malformed), ([name, result]) => ({
    [`initialize.malformed-${name}`]: {
      title: `initialize is answered with a result that is malformed: ${name}`,
      emits: ["ACP-INIT-020"],
      isolation: "connection",
      async run(t) {
        const ask = await t.expect.request("initialize");
        t.conversation.asked.delete(idKey(ask.id));
        t.send.invalid(t.conversation.envelope.result(ask.id, result));
        if (t.steered) t.act("new-session", { cwd: "/tmp" }).catch(() => {});
        await t.require("ACP-INIT-020", t.quiet(PATIENT_MS, { method: "session/new" }));
      },
    },
  })),
  "initialize.first": {
    title: "nothing is sent before the answer to initialize",
    emits: ["ACP-INIT-003"],
    isolation: "connection",
    smoke: true,
    async run(t) {
      await t.require(
        "ACP-INIT-003",
        t.initialize(agentResult, () => t.quiet(QUIET_MS)),
      );
      const before = t.history()[0]?.entry.message;
      t.check("ACP-INIT-003", t.history()[0]?.is.kind === "request", {
        expected: "initialize first",
        actual: before,
      });
    },
  },
  "initialize.minimal": {
    title: "initialize is answered with a protocolVersion and nothing else",
    emits: ["ACP-INIT-008"],
    isolation: "connection",
    async run(t) {
      await t.initialize({ protocolVersion: 1 });
      const session = await t.require("ACP-INIT-008", t.session());
      await t.require("ACP-INIT-008", t.works(session));
    },
  },
  "initialize.other-version": {
    title: "initialize is answered with protocol version 2",
    emits: ["ACP-INIT-009"],
    isolation: "connection",
    async run(t) {
      await t.initialize({ ...agentResult, protocolVersion: 2 });
      if (t.steered) t.act("new-session", { cwd: "/tmp" }).catch(() => {});
      await t.require("ACP-INIT-009", t.quiet(PATIENT_MS, { method: "session/new" }));
    },
  },
  "initialize.authenticate": {
    title: "authenticate is answered with an empty object",
    emits: ["ACP-AUTH-002"],
    isolation: "connection",
    async run(t) {
      await t.initialize({ ...agentResult, authMethods: [{ id: "token", name: "Token" }] });
      const { done } = await t.tell("authenticate", { methodId: "token" }, "authenticate");
      await t.require("ACP-AUTH-002", done);
      await t.require("ACP-AUTH-002", t.session());
    },
  },
});
