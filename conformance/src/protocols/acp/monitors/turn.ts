import { defineMonitor } from "../../../core/talk/monitor.js";
import { restoresSession } from "../samples.js";
import { textOf, updateOf } from "./fields.js";

const partsOfTurns: readonly unknown[] = ["agent_message_chunk", "tool_call", "tool_call_update", "plan"];

/** No part of a turn comes after its end. */
export const lateUpdateMonitor = defineMonitor(
  {
    id: "acp.turn.no-late-updates",
    title: "no part of a turn comes after its answer",
    req: ["ACP-TURN-003"],
    role: "agent",
  },
  (api) => {
    const ended = new Set<string>();
    /** Prompts that are not answered yet, by session. */
    const open = new Map<string, number>();
    return {
      message(seen) {
        const { from, is, answers, entry } = seen;
        if (from === "suite" && is.kind === "request") {
          const sessionId = textOf(is.params, "sessionId");
          if (is.method === "session/prompt") open.set(sessionId, (open.get(sessionId) ?? 0) + 1);
          // A replay after a load looks like a turn.
          if (is.method === "session/prompt" || restoresSession(is.method)) ended.delete(sessionId);
        }
        if (
          from === "target" &&
          (is.kind === "result" || is.kind === "error") &&
          answers?.method === "session/prompt" &&
          answers.answered === 0
        ) {
          const sessionId = textOf(answers.params, "sessionId");
          const left = (open.get(sessionId) ?? 1) - 1;
          open.set(sessionId, left);
          if (is.kind === "result" && left === 0) ended.add(sessionId);
        }
        const found = updateOf(seen);
        if (found === undefined || !partsOfTurns.includes(found.update["sessionUpdate"])) return;
        api.require("ACP-TURN-003", !ended.has(found.sessionId), entry, {
          message: `${String(found.update["sessionUpdate"])} after the turn's answer`,
          expected: "parts of a turn before its answer",
          actual: entry.message,
        });
      },
    };
  },
);

/** A session runs one turn at a time. */
export const busyMonitor = defineMonitor(
  {
    id: "acp.turn.one-at-a-time",
    title: "no prompt is sent while a turn of the session runs",
    req: ["ACP-TURN-009"],
    role: "client",
  },
  (api) => {
    const running = new Set<string>();
    return {
      message({ from, is, answers, entry }) {
        if (from === "suite" && (is.kind === "result" || is.kind === "error") && answers?.method === "session/prompt") {
          running.delete(textOf(answers.params, "sessionId"));
        }
        if (from !== "target" || is.kind !== "request" || is.method !== "session/prompt") return;
        const sessionId = textOf(is.params, "sessionId");
        api.require("ACP-TURN-009", !running.has(sessionId), entry, {
          message: `a second prompt for ${sessionId} while its turn runs`,
          expected: "one prompt at a time",
          actual: entry.message,
        });
        running.add(sessionId);
      },
    };
  },
);
