import { randomUUID } from "node:crypto";
import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import type { TraceEntry } from "../../trace/trace.js";

const DAY_MS = 24 * 60 * 60 * 1_000;
const chat = "HELIX-SCHEMA-chat_message:params";

/** A host that somebody uses: the suite answers every message as an agent does, and the monitors judge. */
export const watch: Case = defineCase<CaseContext>(
  {
    id: "helix-zed.host.watch",
    role: "host",
    title: "what the host sent while it was watched",
    emits: [chat],
    deadline: DAY_MS,
  },
  async (t) => {
    const { trace } = t.conversation.link;
    const answer = (entry: TraceEntry): void => {
      if (
        entry.kind !== "message" ||
        entry.from !== "target" ||
        !isObject(entry.message) ||
        entry.message["type"] !== "chat_message"
      )
        return;
      const { data } = entry.message;
      if (!isObject(data)) return;
      const session_id = String(data["helix_session_id"] ?? data["session_id"]);
      const known = data["acp_thread_id"];
      const isNew = typeof known !== "string" || known === "";
      const ids = { session_id, acp_thread_id: isNew ? randomUUID() : known };
      const message = { ...ids, message_id: `ai_msg_${t.now()}` };
      if (isNew) t.send.notify("context_created", { ...ids, helix_session_id: session_id });
      const content = "Welcome to the conformance suite.";
      t.send.notify("message_added", {
        ...message,
        role: "assistant",
        content,
        timestamp: Math.floor(Date.now() / 1_000),
      });
      t.send.notify("message_completed", { ...message, request_id: String(data["request_id"]) });
    };
    // Messages that waited for an agent are sent at once.
    for (const entry of [...trace.entries]) answer(entry);
    const stop = trace.subscribe(answer);
    await t.expect.closed();
    stop();
    const sent = t.conversation.received.filter(({ is }) => is.kind === "notification" && is.method === "chat_message");
    if (sent.length === 0) t.blocked("the host sent no message while it was watched");
    for (const { problem, entry } of sent)
      t.check(chat, problem === undefined, {
        message: problem,
        expected: "a valid chat_message",
        actual: entry.message,
        at: entry.seq,
      });
  },
);
