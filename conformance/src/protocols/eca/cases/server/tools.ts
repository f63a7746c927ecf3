import type { Case } from "../../../../core/run/case.js";
import { ExpectationError } from "../../../../core/errors.js";
import { answersToNothing } from "../../../../packs/wrong-kind.js";
import { serverTurns } from "../../server-facts.js";
import { defineCases, ends, type ServerContext, type TestTurn } from "../../server-role.js";

const header = { needs: ["ask-approval"] } as const;
const received = "chat/contentReceived";

/** How long a turn lasts that nothing ends, and how late its end may come. */
const SLOW_MS = 20_000;
const LATE_MS = 5_000;

/** A server has seen a stop after this time: what it ends then, it ends by itself. */
const SEEN_MS = 5_000;

/** Stops a turn that the server may have ended by then: it has its end, and the chat goes on. */
async function stopPlain(t: ServerContext, chatId: string): Promise<void> {
  const turn = t.prompt(chatId, t.say("slow"));
  await turn.content({ type: "text" });
  t.send.notify("chat/promptStop", { chatId });
  const stopped = performance.now();
  await t.require("ECA-TURN-005", turn.finished());
  const ms = Math.round(performance.now() - stopped);
  const isSoon = ms < t.time.quiet(SEEN_MS);
  t.check("ECA-STOP-001", isSoon, { expected: "the turn ends at the stop", actual: `it ended ${ms} ms later` });
  await t.require("ECA-STOP-001", t.prompt(chatId, t.say("text")).finished());
}

/** Begins a turn whose tool waits for the user, and gives the call's id. */
async function waiting(t: ServerContext, chatId: string): Promise<{ turn: TestTurn; toolCallId: unknown }> {
  await t.initialized();
  const turn = t.prompt(chatId, t.say("ask-approval"));
  const { params } = await turn.content({ type: "toolCallRun", manualApproval: true });
  return { turn, toolCallId: (params["content"] as Record<string, unknown>)["id"] };
}

/** Tool calls, and the user's word. */
export const toolCases: readonly Case[] = [
  ...defineCases({
    "tool.runs": {
      title: "a tool call is shown from its beginning to its end",
      emits: ["ECA-TOOL-005", "ECA-TOOL-028"],
      needs: ["tool-ok"],
      smoke: true,
      async run(t) {
        await t.initialized();
        const chatId = await t.chat();
        const turn = t.prompt(chatId, t.say("tool-ok"));
        const told = (type: string): boolean => t.rest(received, { chatId, content: { type } }).length > 0;
        const contents = await turn.finished().catch((error: unknown) => {
          const isLate = error instanceof ExpectationError && error.miss === "timeout";
          const waits = isLate && told("toolCallRun") && !told("toolCalled");
          t.check("ECA-TOOL-005", !waits, { expected: "toolCalled", actual: "a call that waits for nobody" });
          throw error;
        });
        const types = contents.flatMap(({ type }) => (String(type).startsWith("toolC") ? [type] : []));
        t.check("ECA-TOOL-005", types.includes("toolCallRun") && types.at(-1) === "toolCalled", {
          expected: "toolCallPrepare, toolCallRun, toolCalled",
          actual: types,
        });
        const { outputs, error } = contents.findLast(({ type }) => type === "toolCalled") ?? {};
        t.check("ECA-TOOL-005", Array.isArray(outputs) && outputs.length > 0, {
          expected: "what the tool returned",
          actual: outputs,
        });
        t.check("ECA-TOOL-028", error !== true, { expected: "error false", actual: error });
      },
    },
    "tool.result": {
      title: "the outputs of a tool call have what the tool returned",
      emits: ["ECA-TOOL-005"],
      needs: ["tool-ok"],
      async run(t) {
        await t.initialized();
        const text = `result-${t.now()}`;
        const contents = await t.prompt(await t.chat(), t.say("tool-ok", { text })).finished();
        const { outputs } = contents.findLast(({ type }) => type === "toolCalled") ?? {};
        const isTold = JSON.stringify(outputs ?? []).includes(text);
        t.check("ECA-TOOL-005", isTold, { expected: text, actual: outputs });
      },
    },
    "tool.fails": {
      title: "a tool call that failed is an error",
      emits: ["ECA-TOOL-028"],
      needs: ["tool-fail"],
      async run(t) {
        await t.initialized();
        const turn = t.prompt(await t.chat(), t.say("tool-fail"));
        const { params } = await turn.content({ type: "toolCalled" });
        const { error } = params["content"] as Record<string, unknown>;
        t.check("ECA-TOOL-028", error === true, { expected: "error true", actual: error });
        await turn.finished();
      },
    },
  }),
  ...defineCases(
    {
      "tool.approved": {
        title: "a tool waits for the user, and runs when it is approved",
        emits: ["ECA-TOOL-006", "ECA-TOOL-007"],
        smoke: true,
        async run(t) {
          const chatId = await t.chat();
          const { turn, toolCallId } = await t.require("ECA-TOOL-006", waiting(t, chatId));
          await t.require(
            "ECA-TOOL-006",
            t.quiet(200, { method: received, params: { chatId, content: { type: /^toolCal(led|lRejected)$/ } } }),
          );
          t.check("ECA-TOOL-006", t.rest(received, { chatId, content: { type: "toolCalled" } }).length === 0, {
            expected: "no end before the user's answer",
            actual: "toolCalled",
          });
          t.send.notify("chat/toolCallApprove", { chatId, toolCallId });
          await t.require("ECA-TOOL-007", turn.content({ type: "toolCalled", id: toolCallId }));
          const said = await t.require("ECA-TOOL-007", turn.said());
          t.check("ECA-TOOL-007", said.includes("done"), { expected: "done", actual: said });
        },
      },
      "tool.rejected": {
        title: "rejected tools do not run, and their turns continue",
        emits: ["ECA-TOOL-008"],
        async run(t) {
          const chatId = await t.chat();
          for (let count = 0; count < 2; count++) {
            const { turn, toolCallId } = await waiting(t, chatId);
            t.send.notify("chat/toolCallReject", { chatId, toolCallId });
            await t.require("ECA-TOOL-008", turn.content({ type: "toolCallRejected", id: toolCallId }));
            const said = await t.require("ECA-TOOL-008", turn.said());
            t.check("ECA-TOOL-008", said.trim() === "done", { expected: "done", actual: said });
            const ran = t.rest(received, { chatId, content: { type: "toolCalled", id: toolCallId } });
            t.check("ECA-TOOL-008", ran.length === 0, { expected: "no result of the call", actual: ran });
          }
        },
      },
      "tool.two-chats": {
        title: "the user's word is for the call of its chat",
        emits: ["ECA-TOOL-006"],
        async run(t) {
          const [chatId, otherId] = [await t.chat(), await t.chat()];
          const { turn, toolCallId } = await waiting(t, chatId);
          const { turn: other, toolCallId: id } = await waiting(t, otherId);
          t.send.notify("chat/toolCallApprove", { chatId: otherId, toolCallId: id });
          await other.content({ type: "toolCalled", id });
          await other.finished();
          // No sentence gives a call that waits an end of its own.
          await t.pace(1_500);
          const ended = t.rest(received, { chatId, content: { type: "toolCalled" } });
          t.check("ECA-TOOL-006", ended.length === 0, { expected: "a call that waits", actual: ended });
          t.send.notify("chat/toolCallReject", { chatId, toolCallId });
          await turn.finished();
        },
      },
      "tool.unknown": {
        title: "an approval or rejection without a waiting call is ignored",
        emits: ["ECA-TOOL-009"],
        async run(t) {
          const chatId = await t.chat();
          const { turn, toolCallId } = await waiting(t, chatId);
          for (const method of ["chat/toolCallApprove", "chat/toolCallReject"]) {
            t.send.notify(method, { chatId, toolCallId: "no-such-call" });
            t.send.notify(method, { chatId: "no-such-chat", toolCallId: "no-such-call" });
            t.send.notify(method, { chatId: "no-such-chat", toolCallId });
          }
          await t.require("ECA-TOOL-009", t.alive());
          const end = { chatId, content: { type: /^toolCal(led|lRejected)$/ } };
          await t.require("ECA-TOOL-009", t.quiet(200, { method: received, params: end }));
          const ended = t.rest(received, end);
          t.check("ECA-TOOL-009", ended.length === 0, { expected: "a call that waits", actual: ended });
          t.send.notify("chat/toolCallApprove", { chatId, toolCallId });
          await t.require("ECA-TOOL-009", turn.content({ type: "toolCalled" }));
          await turn.finished();
        },
      },
    },
    header,
  ),
  ...defineCases({
    "tool.unanswered": {
      title: "notifications about what the server does not know are not answered",
      emits: ["ECA-RPC-007"],
      needs: ["text"],
      async run(t) {
        const known = await t.chat();
        await t.prompt(known, t.say("text")).finished();
        for (const chatId of [known, "no-such-chat"]) {
          t.send.notify("chat/toolCallApprove", { chatId, toolCallId: "no-such-call" });
          t.send.notify("chat/toolCallReject", { chatId, toolCallId: "no-such-call" });
          t.send.notify("chat/promptStop", { chatId });
        }
        t.send.notify("mcp/stopServer", { name: "no-such-server" });
        t.send.notify("mcp/startServer", { name: "no-such-server" });
        await t.alive();
        await t.pace(200);
        const answers = answersToNothing(t);
        t.check("ECA-RPC-007", answers.length === 0, { expected: "no answer", actual: answers[0] });
      },
    },
    "stop.running": {
      title: "a stop ends the turn, and the next one says what it has to say",
      emits: ["ECA-STOP-001", "ECA-TURN-005"],
      needs: ["slow", "text"],
      plain: true,
      smoke: true,
      async run(t) {
        await t.initialized();
        const chatId = await t.chat();
        if (t.plain) return stopPlain(t, chatId);
        const turn = t.prompt(chatId, t.say("slow", { ms: Math.round(t.time.deadline(SLOW_MS)) }));
        await turn.works();
        t.send.notify("chat/promptStop", { chatId });
        const ended = await t.require("ECA-STOP-001", ends(turn));
        // A turn that is not reported as finished may have been stopped, unless it ends later by itself.
        const later = !ended && (await ends(turn, SLOW_MS + LATE_MS));
        t.check("ECA-STOP-001", !later, { expected: "the turn ends at the stop", actual: "it ended by itself" });
        t.check("ECA-TURN-005", ended || later, { expected: "a progress that is finished", actual: "none" });
        const next = t.prompt(chatId, t.say("text", { text: "again" }));
        const said = await t.require("ECA-STOP-001", next.said());
        t.check("ECA-STOP-001", said.includes("again"), { expected: "again", actual: said });
      },
    },
    "stop.rest": {
      title: "what a stopped turn had left to say does not come after its end",
      emits: ["ECA-STOP-006"],
      needs: ["chunks", "text"],
      async run(t) {
        const chatId = await t.chat();
        const text = { chatId, role: "assistant", content: { type: "text", text: /\d/ } };
        const turn = t.prompt(chatId, t.say("chunks", { count: 500 }));
        await t.expect.notify(received, text);
        t.send.notify("chat/promptStop", { chatId });
        if (!(await ends(turn))) t.blocked("the stopped turn has no end");
        // Messages that were on their way may still arrive.
        await t.pace(150);
        const end = t.now();
        await t.prompt(chatId, t.say("text", { text: "again" })).finished();
        const late = t.rest(received, text).filter(({ at }) => at > end);
        t.check("ECA-STOP-006", late.length === 0, { expected: "nothing of the stopped turn", actual: late[0] });
      },
    },
  }),
  ...defineCases({
    "stop.memory": {
      title: "a chat knows its messages after a stop",
      emits: ["ECA-CHAT-008"],
      needs: ["slow", "text", "recall"],
      async run(t) {
        const chatId = await t.chat();
        const secret = `secret-${t.now()}`;
        await t.prompt(chatId, t.say("text", { text: secret })).finished();
        const turn = t.prompt(chatId, t.say("slow"));
        await turn.works();
        t.send.notify("chat/promptStop", { chatId });
        await ends(turn);
        const said = await t.prompt(chatId, t.say("recall")).said();
        t.check("ECA-CHAT-008", said.includes(secret), { expected: "what the user said before", actual: said });
      },
    },
  }),
  ...defineCases(
    {
      "stop.waiting": {
        title: "a stop rejects the call that waits, the model does not go on, and the chat does",
        emits: ["ECA-STOP-001", "ECA-STOP-002"],
        needs: ["ask-approval", "text"],
        async run(t) {
          const chatId = await t.chat();
          const { turn, toolCallId } = await waiting(t, chatId);
          t.send.notify("chat/promptStop", { chatId });
          const ended = await ends(turn);
          if (!ended) await t.pace(200);
          const said = await turn.words();
          const ran = (): boolean =>
            t.rest(received, { chatId, content: { type: "toolCalled", id: toolCallId } }).length > 0;
          // A call that did not wait was none that a stop could end.
          const hasRun = ran();
          t.check("ECA-STOP-001", hasRun || !said.includes("done"), {
            expected: "the model does not go on",
            actual: said,
          });
          t.send.notify("chat/toolCallApprove", { chatId, toolCallId });
          const next = await t.require("ECA-STOP-001", t.prompt(chatId, t.say("text", { text: "again" })).said());
          t.check("ECA-STOP-001", next.includes("again"), { expected: "again", actual: next });
          t.check("ECA-STOP-001", hasRun || !ran(), { expected: "a call that is over", actual: "it ran" });
          await t.require("ECA-STOP-002", turn.content({ type: "toolCallRejected", id: toolCallId }));
          t.check("ECA-STOP-002", ended, { expected: "the end of the turn", actual: "none" });
        },
      },
    },
    header,
  ),
  ...defineCases({
    "stop.idle": {
      title: "a stop without a turn, or of an unknown chat, has no effect",
      emits: ["ECA-STOP-003"],
      needs: ["slow", "text"],
      async run(t) {
        await t.initialized();
        const chatId = await t.chat();
        await t.prompt(chatId, t.say("text")).finished();
        const other = await serverTurns.begin(t);
        t.send.notify("chat/promptStop", { chatId });
        t.send.notify("chat/promptStop", { chatId: "no-such-chat" });
        await t.require("ECA-STOP-003", t.quiet(100, { message: { error: {} } }));
        t.check("ECA-STOP-003", serverTurns.runs(t, other), {
          expected: "the turn of another chat continues",
          actual: "it ended",
        });
        await serverTurns.cancel(t, other);
        await t.require("ECA-STOP-003", t.prompt(chatId, t.say("text")).finished());
      },
    },
  }),
];
