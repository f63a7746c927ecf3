import { expect, it } from "vitest";
import { open } from "./client-peer.js";

it("asks the handler when the reader of the turn has begun to handle the call's event", async () => {
  const order: string[] = [];
  const { client, raw } = await open({
    permission: async ({ toolCallId }) => (order.push(`asked ${toolCallId}`), "allow_once"),
  });
  const turn = client.newSession({ sessionId: "a" }).prompt("go");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.content("a", "assistant", { type: "text", text: "Reading." });
  raw.toolCall("a", "t1");
  for await (const event of turn) {
    if (event.type === "text") order.push("text");
    if (event.type === "tool_call") order.push(event.toolCall.status);
    if (event.type === "tool_call" && event.toolCall.status === "waiting") {
      await raw.take("chat/toolCallApprove");
      raw.finish("a");
    }
  }
  expect(order).toEqual(["text", "pending", "waiting", "asked t1"]);
});

it("asks the handler at once when nobody reads the turn", async () => {
  const { client, raw } = await open({ permission: async () => "allow_once" });
  const turn = client.newSession({ sessionId: "a" }).prompt("go");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.toolCall("a", "t1");
  expect((await raw.take("chat/toolCallApprove")).params).toMatchObject({ toolCallId: "t1" });
  raw.finish("a");
  expect(await turn.stopReason).toBe("end_turn");
});

it("does not ask the handler about a call that the reader has answered", async () => {
  const asked: string[] = [];
  const { client, raw } = await open({
    permission: async ({ toolCallId }) => (asked.push(toolCallId), "reject_once"),
  });
  const session = client.newSession({ sessionId: "a" });
  const turn = session.prompt("go");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.toolCall("a", "t1");
  for await (const event of turn) {
    if (event.type !== "tool_call" || event.toolCall.status !== "waiting") continue;
    expect(session.answerPermission("t1", "allow_once")).toBe(true);
    await raw.take("chat/toolCallApprove");
    raw.finish("a");
  }
  expect(asked).toEqual([]);
});

it("shows an open question to the listeners of the state", async () => {
  const { client, raw } = await open({ permission: "manual" });
  const session = client.newSession({ sessionId: "a" });
  const turn = session.prompt("go");
  session.subscribe(() => {
    for (const { toolCallId } of session.permissions) session.answerPermission(toolCallId, "allow_once");
  });
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.toolCall("a", "t1");
  expect((await raw.take("chat/toolCallApprove")).params).toMatchObject({ toolCallId: "t1" });
  raw.finish("a");
  expect(await turn.stopReason).toBe("end_turn");
  expect(session.permissions).toEqual([]);
});

it.each([false, null, "", 0, true, "yes"])("reports %j, not an answer, and rejects the call", async (answer) => {
  const { client, raw, errors } = await open({ permission: async () => answer as never });
  const turn = client.newSession({ sessionId: "a" }).prompt("go");
  raw.answer(await raw.take("chat/prompt"), { chatId: "a", model: "m1", status: "success" });
  raw.toolCall("a", "t1");
  expect((await raw.take("chat/toolCallReject")).params).toMatchObject({ toolCallId: "t1" });
  raw.finish("a");
  expect(await turn.stopReason).toBe("end_turn");
  expect(errors.map(String)).toEqual([expect.stringContaining("TypeError: permission: expected allow_once, ")]);
});
