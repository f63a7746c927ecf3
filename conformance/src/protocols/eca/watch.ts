import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import { idKey } from "../../core/talk/message.js";
import { traitsOf } from "./profiles.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const tool = { origin: "native", name: "read_file", summary: "Reading a file that is not there" };

/** A client that somebody uses: the suite reacts to every prompt with a bit of everything, and the monitors judge. */
export const watch: Case = defineCase<CaseContext>(
  {
    id: "eca.client.watch",
    role: "client",
    title: "what the client sent while it was watched",
    emits: ["ECA-LIFE-020", "ECA-TURN-023"],
    deadline: DAY_MS,
  },
  async (t) => {
    const { greeting, promptStatus } = traitsOf(t);
    for (const [method, params] of greeting) t.send.notify(method, params);
    const waiting = new Map<string, (decision: string) => void>();
    const react = (params: unknown): { result: Record<string, unknown> } => {
      const given = isObject(params) ? params["chatId"] : undefined;
      const chatId = typeof given === "string" ? given : `11111111-1111-4111-8333-${String(t.now()).padStart(12, "0")}`;
      const send = (role: string, content: Record<string, unknown>): void =>
        t.send.notify("chat/contentReceived", { chatId, role, content });
      send("user", { type: "text", text: `${String(isObject(params) ? params["message"] : "")}\n` });
      send("assistant", { type: "text", text: "Welcome to the conformance suite. " });
      const call = { ...tool, id: `tool-${t.now()}` };
      send("assistant", { type: "toolCallPrepare", ...call, argumentsText: '{"path":"a"}', manualApproval: true });
      send("assistant", { type: "toolCallRun", ...call, arguments: { path: "a" }, manualApproval: true });
      waiting.set(chatId, (decision) => {
        const { outcome, says } = afterDecision(decision, call);
        send("assistant", outcome);
        if (says !== undefined) send("assistant", { type: "text", text: says });
        send("system", { type: "progress", state: "finished", text: "" });
      });
      return { result: { chatId, model: "suite/one", status: promptStatus } };
    };
    t.answer("chat/prompt", react);
    // A client may prompt in one breath with `initialized`, ahead of this.
    for (const { is } of [...t.conversation.received])
      if (is.kind === "request" && t.conversation.asked.get(idKey(is.id)) === "chat/prompt")
        t.conversation.reply(is.id, react(is.params).result);
    const stop = t.conversation.link.trace.subscribe((entry) => {
      if (
        entry.kind !== "message" ||
        entry.from !== "target" ||
        !isObject(entry.message) ||
        !isObject(entry.message["params"])
      )
        return;
      const chatId = String(entry.message["params"]["chatId"]);
      const method = String(entry.message["method"]);
      if (!/^chat\/(toolCallApprove|toolCallReject|promptStop)$/.test(method)) return;
      waiting.get(chatId)?.(method);
      waiting.delete(chatId);
    });
    await t.expect.closed();
    stop();
    const sent = t.conversation.received.flatMap(({ is }) =>
      is.kind === "request" || is.kind === "notification" ? [is.method] : [],
    );
    t.check("ECA-LIFE-020", sent[0] === "initialize", { expected: "initialize first", actual: sent[0] });
    if (sent.includes("chat/prompt")) t.pass("ECA-TURN-023");
    else t.blocked("the client sent no prompt while it was watched");
  },
);

/**
 * Messages that the specification demands of a server after the user's decision: an approved call is executed, a
 * rejected one is not, and both times the turn goes on. A stop ends both.
 */
function afterDecision(
  decision: string,
  call: Readonly<Record<string, unknown>>,
): { readonly outcome: Record<string, unknown>; readonly says?: string | undefined } {
  const args = { arguments: { path: "a" } };
  if (decision !== "chat/toolCallApprove") {
    const outcome = { type: "toolCallRejected", ...call, ...args, reason: "user" };
    return decision === "chat/promptStop" ? { outcome } : { outcome, says: "I did not run it." };
  }
  const outputs = [{ type: "text", text: "The file does not exist.", content: "The file does not exist." }];
  return { outcome: { type: "toolCalled", ...call, ...args, error: true, outputs }, says: "That is all." };
}
