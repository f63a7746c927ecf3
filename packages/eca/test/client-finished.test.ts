import { expect, it } from "vitest";
import { all, open, type Opened } from "./client-peer.js";

const success = { chatId: "s1", model: "m1", status: "success" };

/** The second turn of a session, whose prompt the server has. */
async function secondTurn({ client, raw }: Opened, cancelled = false) {
  const session = client.newSession({ sessionId: "s1" });
  const first = session.prompt("Hello");
  raw.answer(await raw.take("chat/prompt"), success);
  await first.answer;
  if (cancelled) await first.cancel();
  raw.finish("s1");
  expect(await first.stopReason).toBe(cancelled ? "cancelled" : "end_turn");
  const turn = session.prompt("again");
  return { turn, prompt: await raw.take("chat/prompt") };
}

for (const cancelled of [false, true]) {
  const after = `after a turn that ${cancelled ? "was cancelled" : "ended"}`;

  it(`C8: finished right behind the answer ends the turn, ${after}`, async () => {
    const opened = await open();
    const { raw, diagnostics } = opened;
    const { turn, prompt } = await secondTurn(opened, cancelled);
    raw.answer(prompt, success);
    raw.finish("s1");
    expect(await all(turn)).toEqual([{ type: "stop", stopReason: "end_turn" }]);
    expect(diagnostics).toEqual([]);
    await raw.close();
  });

  it(`C8, A29: a second finished right ahead of the answer does not end the turn, ${after}`, async () => {
    const opened = await open();
    const { raw, diagnostics } = opened;
    const { turn, prompt } = await secondTurn(opened, cancelled);
    raw.finish("s1");
    raw.answer(prompt, success);
    raw.content("s1", "assistant", { type: "text", text: "yes" });
    raw.finish("s1");
    expect(await all(turn)).toMatchObject([{ type: "text", text: "yes" }, { type: "stop" }]);
    expect(diagnostics.map(({ id }) => id)).toEqual(["stale-finished"]);
    await raw.close();
  });
}

for (const isFirst of [true, false]) {
  const which = isFirst ? "first" : "later";

  it(`C8: finished right behind a refusal does not hide the refusal, in the ${which} turn`, async () => {
    const opened = await open();
    const { client, raw } = opened;
    const { turn, prompt } = isFirst ? await firstTurn(client, raw) : await secondTurn(opened);
    raw.send({ id: prompt.id, error: { code: -32603, message: "not now" } });
    raw.finish("s1");
    await expect(turn.stopReason).rejects.toMatchObject({ code: -32603 });
    await expect(all(turn)).rejects.toMatchObject({ code: -32603 });
    await expect(turn.answer).rejects.toMatchObject({ code: -32603 });
    await raw.close();
  });

  it(`C8: finished right behind a result that does not fit fails the turn, in the ${which} turn`, async () => {
    const opened = await open();
    const { client, raw } = opened;
    const { turn, prompt } = isFirst ? await firstTurn(client, raw) : await secondTurn(opened);
    raw.answer(prompt, { chatId: 7 });
    raw.finish("s1");
    await expect(turn.stopReason).rejects.toMatchObject({ code: "invalid_result" });
    await raw.close();
  });

  it(`C8: finished right behind an answer that no turn follows keeps the answer's reason, ${which} turn`, async () => {
    const opened = await open();
    const { client, raw } = opened;
    const { turn, prompt } = isFirst ? await firstTurn(client, raw) : await secondTurn(opened);
    raw.answer(prompt, { ...success, status: "login" });
    raw.finish("s1");
    expect(await all(turn)).toEqual([{ type: "stop", stopReason: "login" }]);
    await raw.close();
  });
}

/** The first turn of a session, whose prompt the server has. */
async function firstTurn(client: Opened["client"], raw: Opened["raw"]) {
  const turn = client.newSession({ sessionId: "s1" }).prompt("Hello");
  return { turn, prompt: await raw.take("chat/prompt") };
}
