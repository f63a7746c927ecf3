import { defineMonitor } from "../../../core/talk/monitor.js";
import { AgentState, saidBy } from "./agent-state.js";

/** Threads are announced once, for the session that asked. */
export const threadMonitor = defineMonitor(
  {
    id: "helix-zed.agent.thread",
    title: "threads are announced once, before anything is said in them, and for the session that asked",
    req: ["HELIX-THREAD-002", "HELIX-THREAD-004", "HELIX-THREAD-006", "HELIX-THREAD-008", "HELIX-FORM-thread-created"],
    role: "agent",
  },
  (api) => {
    const state = new AgentState();
    return {
      entry: (entry) => state.note(entry),
      message(seen) {
        const { entry } = seen;
        const said = saidBy(seen, "target");
        const actual = entry.message;
        const thread = said?.thread === undefined ? undefined : state.threads.get(said.thread);
        if ((said?.name === "context_created" || said?.name === "thread_created") && said.thread !== undefined) {
          const { name, session } = said;
          const pending = state.pending();
          // Some agents say it under both names.
          const isFirst = thread === undefined ? pending.length > 0 : !thread.by.has("host") && !thread.by.has(name);
          const message = thread === undefined ? "no message waits for a thread" : `the thread ${said.thread} is known`;
          api.require("HELIX-THREAD-006", isFirst, entry, { message, expected: `no ${name}`, actual });
          if (session !== undefined && thread === undefined && pending.length > 0) {
            const named = ["session_id", "helix_session_id"]
              .map((field) => said.fields[field])
              .filter((id) => typeof id === "string" && id !== "");
            const isAsked = pending.some(
              (turn) => turn.session === undefined || named.every((id) => id === turn.session),
            );
            api.require("HELIX-THREAD-004", isAsked, entry, {
              expected: [...new Set(pending.map((turn) => turn.session))],
              actual,
            });
          }
        }
        if ((said?.name === "message_added" || said?.name === "message_completed") && said.thread !== undefined) {
          const findings = {
            message: `no message named the thread ${said.thread} before`,
            expected: "context_created before",
            actual,
          };
          api.require("HELIX-THREAD-002", thread !== undefined, entry, findings);
          const named = said.fields["session_id"];
          if (typeof named === "string" && named !== "" && thread !== undefined && thread.sessions.size > 0) {
            api.require("HELIX-THREAD-008", thread.sessions.has(named), entry, {
              expected: [...thread.sessions],
              actual: named,
            });
          }
          if (
            said.name === "message_completed" &&
            (thread?.by.has("context_created") === true || thread?.by.has("thread_created") === true)
          ) {
            const expected = "context_created, which hosts of the specification need";
            api.require("HELIX-FORM-thread-created", thread.by.has("context_created"), entry, {
              expected,
              actual: "thread_created alone",
            });
          }
        }
        state.take(seen);
      },
    };
  },
);
