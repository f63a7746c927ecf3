import { isObject } from "@editwire/core";
import { defineCases, type ClientContext, type ClientSession } from "../../client-role.js";

const cancelled = { outcome: { outcome: "cancelled" } };

async function cancel(t: ClientContext, session: ClientSession): Promise<void> {
  const done = t.act("cancel", { sessionId: session.id }, { optional: true });
  await Promise.race([
    t.expect.message({ method: "session/cancel", params: { sessionId: session.id } }),
    done.then(() => t.expect.message({ method: "session/cancel" })),
  ]);
  await done;
}

/** Resolves when the client has answered what was sent behind all other messages. */
async function readAll(t: ClientContext): Promise<void> {
  await t.send
    .request("_conformance/alive", {})
    .response()
    .catch(() => {});
}

/** Sections 5.6 and 6.1: ending a turn early. */
export const cancelCases = defineCases({
  "cancel.notification": {
    title: "the user cancels a turn",
    emits: ["ACP-CANCEL-006"],
    smoke: true,
    async run(t) {
      const session = await t.session();
      const turn = await t.prompt(session);
      await t.require("ACP-CANCEL-006", cancel(t, session));
      turn.end("cancelled");
      await turn.done;
    },
  },
  "cancel.permission-open": {
    title: "the user cancels while two permission requests are open",
    emits: ["ACP-CANCEL-005"],
    smoke: true,
    async run(t) {
      const session = await t.session();
      await t.permission("hold");
      const turn = await t.prompt(session);
      const asks = [
        t.ask(session),
        t.ask(session, { toolCall: { toolCallId: "call-2", title: "Another tool", status: "pending" } }),
      ];
      await readAll(t);
      await cancel(t, session);
      for (const ask of asks) await t.require("ACP-CANCEL-005", ask.result(cancelled));
      turn.end("cancelled");
      await turn.done;
      // The user's decision is too late now; a second answer would be seen.
      await t.permission("allow");
      await t.works(session);
    },
  },
  "cancel.permission-of-another": {
    title: "the user cancels one of two turns that ask for permission",
    emits: ["ACP-CANCEL-020"],
    async run(t) {
      t.steer("run two turns");
      const [one, other] = [await t.session(), await t.session()];
      await t.permission("hold");
      const turns = [await t.prompt(one), await t.prompt(other)];
      t.ask(one);
      const stays = t.ask(other);
      await readAll(t);
      await cancel(t, one);
      await readAll(t);
      const answered = t.history().find(({ is }) => is.kind === "result" && is.id === stays.id);
      t.check("ACP-CANCEL-020", answered === undefined, {
        message: "the permission request of the other session was answered, too",
        expected: "no answer yet",
        actual: answered?.entry.message,
      });
      await cancel(t, other);
      for (const turn of turns) turn.end("cancelled");
      for (const turn of turns) await turn.done;
    },
  },
  "cancel.next-turn": {
    title: "the turn after a cancelled one is shown",
    emits: ["ACP-UPDATE-015", "ACP-CANCEL-008"],
    async run(t) {
      const session = await t.session();
      const first = await t.prompt(session);
      first.update({ sessionUpdate: "tool_call", toolCallId: "call-1", title: "A tool", status: "in_progress" });
      await cancel(t, session);
      first.update({ sessionUpdate: "tool_call_update", toolCallId: "call-1", status: "failed" });
      first.end("cancelled");
      await first.done;
      const next = await t.prompt(session);
      next.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Once more." } });
      next.end();
      await next.done;
      const { text: seen, toolCalls } = await t.report(session);
      if (Array.isArray(toolCalls)) {
        const found = toolCalls.filter(isObject).find(({ toolCallId }) => toolCallId === "call-1");
        t.check("ACP-CANCEL-008", found?.["status"] === "failed", { expected: "a tool that failed", actual: found });
      } else t.pass("ACP-CANCEL-008");
      t.needs(typeof seen === "string", "the client does not report the text of a session");
      t.check("ACP-UPDATE-015", String(seen).includes("Once more."), { expected: "Once more.", actual: seen });
    },
  },
  "cancel.permission-later": {
    title: "the agent asks for permission in a turn that the user has cancelled",
    emits: ["ACP-CANCEL-007"],
    async run(t) {
      const session = await t.session();
      await t.permission("allow");
      const turn = await t.prompt(session);
      await cancel(t, session);
      await t.require("ACP-CANCEL-007", t.ask(session).result(cancelled));
      turn.end("cancelled");
      await turn.done;
    },
  },
  "cancel.late-updates": {
    title: "updates still arrive after the user has cancelled",
    emits: ["ACP-CANCEL-008"],
    async run(t) {
      const session = await t.session();
      const turn = await t.prompt(session);
      turn.update({
        sessionUpdate: "tool_call",
        toolCallId: "call-1",
        title: "A tool",
        kind: "execute",
        status: "in_progress",
      });
      await cancel(t, session);
      turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "I was about to" } });
      turn.update({ sessionUpdate: "tool_call_update", toolCallId: "call-1", status: "failed" });
      turn.end("cancelled");
      await t.require("ACP-CANCEL-008", turn.done);
      await t.require("ACP-CANCEL-008", t.works(session));
    },
  },
  "cancel.error": {
    title: "a cancelled turn ends with an error",
    emits: ["ACP-CANCEL-009"],
    async run(t) {
      const session = await t.session();
      const turn = await t.prompt(session);
      await cancel(t, session);
      t.refuse(turn.ask, { code: -32603, message: "context canceled" });
      await turn.done.catch(() => {});
      await t.require("ACP-CANCEL-009", t.works(session));
    },
  },
});
