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
