import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { defineCases, type ClientContext } from "../../client-role.js";

type Json = Record<string, unknown>;
const tool = { origin: "native", id: "tool-1", name: "read_file" };
const run = { type: "toolCallRun", ...tool, arguments: { path: "a" }, manualApproval: false };

/** One tool call as the client shows it, if it shows any. */
async function toolCall(t: ClientContext, chat: string, id = tool.id): Promise<Json> {
  const { toolCalls } = await t.report(chat);
  t.needs(Array.isArray(toolCalls), "the client does not report tool calls");
  const found = (toolCalls as unknown[]).find((call) => isObject(call) && call["id"] === id);
  return isObject(found) ? found : {};
}

const prepares: Readonly<Record<string, readonly string[]>> = {
  whole: ['{"path":"a"}'],
  pieces: ['{"path"', ':"a"}'],
  growing: ['{"path"', '{"path":"a"}'],
};

const prepareCases = Object.entries(prepares).flatMap(([name, texts]) =>
  defineCases({
    [`tool.prepare-${name}`]: {
      title: `argumentsText is accepted: ${name}`,
      emits: ["ECA-TOOL-022"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.answer();
        for (const argumentsText of texts)
          turn.content({ type: "toolCallPrepare", ...tool, argumentsText, manualApproval: false });
        turn.content({ ...run, arguments: { path: "b" } });
        turn.content({ type: "toolCalled", ...tool, arguments: { path: "b" }, error: false, outputs: [] });
        turn.end();
        await t.require("ECA-TOOL-022", turn.done);
        const call = await toolCall(t, chat);
        const right = call["arguments"] === undefined || JSON.stringify(call["arguments"]) === '{"path":"b"}';
        t.check("ECA-TOOL-022", right, { expected: "the arguments of toolCallRun", actual: call });
      },
    },
  }),
);

/** Where the text of an output is: as the specification has it, and as servers send it. */
const outputs = [
  ["content", "ECA-TOOL-023"],
  ["text", "ECA-TOOL-032"],
] as const;

/** Tool calls, and the user's word. */
export const toolCases: readonly Case[] = [
  ...prepareCases,
  ...defineCases({
    "tool.unprepared": {
      title: "a tool runs without a toolCallPrepare",
      emits: ["ECA-TOOL-027"],
      async run(t) {
        const chat = t.chat();
        const id = "tool-unprepared";
        const turn = await t.prompt(chat);
        turn.answer();
        turn.content({ ...run, id });
        turn.content({ type: "toolCalled", ...tool, id, arguments: { path: "a" }, error: false, outputs: [] });
        turn.end();
        await t.require("ECA-TOOL-027", turn.done);
        const call = await toolCall(t, chat, id);
        t.check("ECA-TOOL-027", call["id"] === id, { expected: "the tool call", actual: call });
      },
    },
    ...defineCases.each(outputs, ([field, req]) => ({
      [`tool.output-${field}`]: {
        title: `the output of a tool is accepted in ${field}`,
        emits: [req],
        async run(t) {
          const chat = t.chat();
          const turn = await t.prompt(chat);
          turn.answer();
          turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: false });
          turn.content(run);
          turn.content({
            type: "toolCalled",
            ...tool,
            arguments: {},
            error: false,
            outputs: [{ type: "text", [field]: "out" }],
          });
          turn.end();
          await t.require(req, turn.done);
          const call = await toolCall(t, chat);
          t.check(req, call["text"] === undefined || String(call["text"]).includes("out"), {
            expected: "out",
            actual: call,
          });
        },
      },
    })),
    "tool.rejected": {
      title: "a rejected tool call has ended",
      emits: ["ECA-TOOL-023"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.answer();
        turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: false });
        turn.content(run);
        turn.content({ type: "toolCallRejected", ...tool, arguments: {}, reason: "user" });
        // A client may end the calls that are left at the end of a turn.
        await t.alive();
        const call = await toolCall(t, chat);
        t.check("ECA-TOOL-023", call["state"] === undefined || call["state"] === "rejected", {
          expected: "rejected",
          actual: call,
        });
        turn.end();
        await t.require("ECA-TOOL-023", turn.done);
      },
    },
    "tool.failed": {
      title: "a tool call is shown as failed or not, as the server says",
      emits: ["ECA-TOOL-023", "ECA-TOOL-030"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.answer();
        for (const error of [true, false]) {
          const call = { ...tool, id: `tool-${error}` };
          turn.content({ type: "toolCallPrepare", ...call, argumentsText: '{"path":"a"}', manualApproval: false });
          turn.content({ ...run, ...call });
          turn.content({ type: "toolCalled", ...call, arguments: { path: "a" }, error, outputs: [] });
        }
        turn.end();
        await turn.done;
        for (const wanted of [true, false]) {
          const { error, state } = await toolCall(t, chat, `tool-${wanted}`);
          t.check("ECA-TOOL-023", state === undefined || state === "called", { expected: "called", actual: state });
          t.check("ECA-TOOL-030", error === undefined || error === wanted, { expected: wanted, actual: error });
        }
      },
    },
    ...defineCases.each(["approve", "reject"] as const, (policy) => ({
      [`tool.${policy}`]: {
        title: `the user's answer is sent when the call is to run: ${policy}`,
        emits: ["ECA-TOOL-021", "ECA-TOOL-033"],
        smoke: policy === "approve",
        async run(t) {
          await t.approval(policy);
          const turn = await t.prompt(t.chat());
          turn.answer();
          const method = policy === "approve" ? "chat/toolCallApprove" : "chat/toolCallReject";
          for (const id of [tool.id, "tool-2"]) {
            turn.content({ type: "toolCallPrepare", ...tool, id, argumentsText: "{}", manualApproval: true });
            await t.alive();
            const early = t.rest(method, { toolCallId: id });
            t.check("ECA-TOOL-033", early.length === 0, { expected: "no answer yet", actual: early });
            turn.content({ ...run, id, manualApproval: true });
            await t.require("ECA-TOOL-021", t.expect.notify(method, { chatId: turn.chatId, toolCallId: id }));
          }
          turn.end();
          await turn.done;
        },
      },
    })),
    ...defineCases.each(
      [
        ["stop", "ECA-TOOL-031"],
        ["delete", "ECA-TOOL-020"],
      ] as const,
      ([action, req]) => ({
        [`tool.after-${action}`]: {
          title: `a call that waited receives no answer after the ${action} of its chat`,
          emits: [req],
          async run(t) {
            const chat = t.chat();
            await t.approval("hold");
            const turn = await t.prompt(chat);
            turn.answer();
            turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: true });
            turn.content({ ...run, manualApproval: true });
            await t.alive();
            if (action === "delete") turn.end();
            if (action === "delete") await turn.done;
            await t.act(action, { chat }, { optional: true });
            await t.approval("approve");
            await t.alive();
            await t.pace(100);
            const late = t.rest("chat/toolCallApprove", { chatId: turn.chatId });
            t.check(req, late.length === 0, { expected: "no approval", actual: late[0] });
            if (action === "stop") turn.end();
            await turn.done;
          },
        },
      }),
    ),
    "tool.two-chats": {
      title: "the user's word names the chat of the call, and not the last one",
      emits: ["ECA-TOOL-021"],
      async run(t) {
        await t.approval("approve");
        const [turn, other] = [await t.prompt(t.chat()), await t.prompt(t.chat())];
        for (const one of [turn, other]) {
          one.answer();
          one.content({ type: "text", text: "Hello" });
        }
        turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: true });
        turn.content({ ...run, manualApproval: true });
        const word = t.expect.notify("chat/toolCallApprove", { chatId: turn.chatId, toolCallId: tool.id });
        await t.require("ECA-TOOL-021", word);
        for (const one of [turn, other]) one.end();
        await Promise.all([turn.done, other.done]);
      },
    },
    "tool.unasked": {
      title: "a call that needs no approval receives none",
      emits: ["ECA-TOOL-021"],
      async run(t) {
        await t.approval("approve");
        const turn = await t.prompt(t.chat());
        turn.answer();
        turn.content({ type: "toolCallPrepare", ...tool, argumentsText: "{}", manualApproval: false });
        turn.content(run);
        await t.require("ECA-TOOL-021", t.quiet(100, { method: "chat/toolCallApprove" }));
        turn.end();
        await turn.done;
      },
    },
  }),
];
