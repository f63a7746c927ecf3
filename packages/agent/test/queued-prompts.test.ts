// The hub is the engine of prompts: they run, wait and end there alone.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { acpPair } from "@editwire/acp/testing";
import { expect, it, onTestFinished } from "vitest";
import { type AgentDefinition, createAgent, toAcp } from "../src/index.js";
import { bundle } from "../../../scripts/testing/bundle.js";

const { queued } = await bundle(import.meta.url, { queued: "fixtures/queued-prompts.ts" });

/** A client that prompts as often as it likes, and what it received for that, in order. */
async function open(definition: AgentDefinition) {
  const received: string[] = [];
  const { client } = await acpPair(toAcp(createAgent(definition)), {
    client: {
      onWire(direction, message) {
        const { params, result } = message as { params?: { update?: { content?: { text: string } } }; result?: object };
        if (direction !== "in") return;
        if (params?.update?.content !== undefined) received.push(params.update.content.text);
        else if (result !== undefined && "stopReason" in result) received.push(String(result.stopReason));
      },
    },
  });
  onTestFinished(() => client.close());
  const { id: sessionId } = await client.newSession({ cwd: "/p" });
  const prompt = (text: string) =>
    client.connection.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  return { client, sessionId, prompt, received };
}

it("answers a prompt before the turn that waited for it says anything", async () => {
  const { prompt, received } = await open({ whenBusy: "queue", prompt: async (turn) => turn.text(turn.promptText) });
  await Promise.all([prompt("a"), prompt("b"), prompt("c")]);
  expect(received).toEqual(["a", "end_turn", "b", "end_turn", "c", "end_turn"]);
});

it("answers the prompts that wait as cancelled, and takes the next one", async () => {
  const { client, sessionId, prompt } = await open({
    whenBusy: "queue",
    async prompt({ promptText, signal }) {
      if (promptText !== "hang") return;
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
  });
  const answers = [prompt("hang"), prompt("waits")];
  await client.connection.notify("session/cancel", { sessionId });
  expect(await Promise.all(answers)).toEqual([{ stopReason: "cancelled" }, { stopReason: "cancelled" }]);
  expect(await prompt("next")).toEqual({ stopReason: "end_turn" });
});

it("runs a prompt that waits in a process that nothing else keeps alive", async () => {
  expect((await promisify(execFile)(process.execPath, [queued])).stdout).toBe("end_turn end_turn\n");
});
