import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import { permissionOptions } from "./as-agent.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A client that somebody uses: the suite reacts to every prompt with a bit of everything, and the monitors judge. */
export const watch: Case = defineCase<CaseContext>(
  {
    id: "acp.client.watch",
    role: "client",
    title: "what the client sent while it was watched",
    emits: ["ACP-INIT-003", "ACP-SESSION-008"],
    deadline: DAY_MS,
  },
  async (t) => {
    const running = new Map<string, () => void>();
    t.answer("session/prompt", (params, id) => {
      const sessionId = isObject(params) ? String(params["sessionId"]) : "";
      if (running.has(sessionId)) return { error: { code: -32600, message: "prompt already running" } };
      const cancelled = new Promise<void>((resolve) => running.set(sessionId, resolve));
      void turn(t, sessionId, cancelled).then((stopReason) => {
        running.delete(sessionId);
        t.conversation.reply(id, { stopReason });
      });
      return undefined;
    });
    const stop = t.conversation.link.trace.subscribe((entry) => {
      if (
        entry.kind !== "message" ||
        entry.from !== "target" ||
        !isObject(entry.message) ||
        entry.message["method"] !== "session/cancel"
      )
        return;
      const { params } = entry.message;
      running.get(isObject(params) ? String(params["sessionId"]) : "")?.();
    });
    await t.expect.closed();
    stop();
    const sent = t.conversation.received.flatMap(({ is }) =>
      is.kind === "request" || is.kind === "notification" ? [is.method] : [],
    );
    t.check("ACP-INIT-003", sent[0] === "initialize", { expected: "initialize first", actual: sent[0] });
    const opens = sent.some((method) => method === "session/new" || method === "session/load");
    if (opens) t.pass("ACP-SESSION-008");
    else t.blocked("the client opened no session while it was watched");
  },
);

/** One turn with a plan, a tool that asks for permission, and some text. */
async function turn(t: CaseContext, sessionId: string, cancelled: Promise<void>): Promise<string> {
  const update = (content: Record<string, unknown>): void =>
    t.send.notify("session/update", { sessionId, update: content });
  const plan = (status: string): void =>
    update({
      sessionUpdate: "plan",
      entries: [
        { content: "Run a tool", priority: "high", status },
        { content: "Say so", priority: "low", status: "pending" },
      ],
    });
  const toolCallId = `call-${t.now()}`;
  update({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "Welcome to the conformance suite. " },
  });
  plan("in_progress");
  update({
    sessionUpdate: "tool_call",
    toolCallId,
    title: "A tool that does nothing",
    kind: "execute",
    status: "in_progress",
    rawInput: { command: "true" },
  });
  const ask = t.send.request("session/request_permission", {
    sessionId,
    toolCall: { toolCallId, title: "A tool that does nothing", kind: "execute", status: "pending" },
    options: permissionOptions,
  });
  const answer = await Promise.race([
    ask.response().catch(() => undefined),
    cancelled.then(() => "cancelled" as const),
  ]);
  if (answer === "cancelled" || answer === undefined) return "cancelled";
  const allowed =
    isObject(answer.result) &&
    isObject(answer.result["outcome"]) &&
    answer.result["outcome"]["optionId"] === "allow_once";
  const text = allowed ? "done" : "not allowed";
  update({
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: allowed ? "completed" : "failed",
    content: [{ type: "content", content: { type: "text", text } }],
    rawOutput: text,
  });
  plan("completed");
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "That is all." } });
  return "end_turn";
}
