import { RemoteError } from "@editwire/core";
import { expect, it } from "vitest";
import { acpPair } from "../src/testing.js";

it("readText resolves with the agent's text alone, and with what there is of a cancelled turn", async () => {
  const { client } = await acpPair({
    async prompt(turn) {
      await turn.thought("Hm. ");
      await turn.text("Hello, ");
      const call = await turn.toolCall({ title: "Read" });
      await call.complete();
      await turn.text("world");
      if (turn.promptText === "fail") throw new RemoteError(-32001, "no model");
      if (turn.promptText === "wait") {
        await turn.thought("waiting");
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      }
    },
  });
  const session = await client.newSession({ cwd: "/" });
  const turn = session.prompt("go");
  expect(await turn.readText()).toBe("Hello, world");
  expect(await turn.stopReason).toBe("end_turn");
  await expect(session.prompt("fail").readText()).rejects.toMatchObject({ code: -32001 });

  const waiting = session.prompt("wait");
  const text = waiting.readText();
  const unsubscribe = session.subscribe((state) => {
    const isWaiting = state.entries.some((entry) => JSON.stringify(entry).includes("waiting"));
    if (isWaiting) void waiting.cancel();
  });
  expect(await text).toBe("Hello, world");
  expect(await waiting.stopReason).toBe("cancelled");
  unsubscribe();
  await client.close();
});
