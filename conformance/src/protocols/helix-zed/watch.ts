import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../../core/case.js";
import type { CaseContext } from "../../core/context.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A host that somebody uses: the suite answers every message as an agent does, and the monitors judge. */
export const watch: Case = defineCase<CaseContext>(
  { id: "helix-zed.host.watch", role: "host", title: "what the host sent while it was watched", emits: [], deadline: DAY_MS },
  async (t) => {
    const stop = t.conversation.link.trace.subscribe((entry) => {
      if (entry.kind !== "message" || entry.from !== "target" || !isObject(entry.message) || entry.message["type"] !== "chat_message") return;
      const { data } = entry.message;
      if (!isObject(data)) return;
      const session_id = data["helix_session_id"];
      const known = data["acp_thread_id"];
      const ids = { session_id, acp_thread_id: typeof known === "string" ? known : `thread-${t.now()}` };
      const answer = { ...ids, message_id: `ai_msg_${t.now()}` };
      if (typeof known !== "string") t.send.notify("context_created", { ...ids, helix_session_id: session_id });
      t.send.notify("message_added", { ...answer, role: "assistant", content: "Welcome to the conformance suite.", timestamp: Math.floor(Date.now() / 1_000) });
      t.send.notify("message_completed", { ...answer, request_id: data["request_id"] });
    });
    await t.expect.closed();
    stop();
  },
);
