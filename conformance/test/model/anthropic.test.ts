import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import type { ScriptedModel } from "../../src/model/index.js";
import { all, always, diceSchema, start, throwDice, thrown } from "./support.js";

const clientOf = ({ urls }: ScriptedModel) =>
  new Anthropic({ baseURL: urls.anthropic, apiKey: "test-key", authToken: null, maxRetries: 2 });
const question = {
  model: "any",
  max_tokens: 1000,
  system: "Be brief",
  tools: [{ name: "dice", input_schema: diceSchema as Anthropic.Tool.InputSchema }],
};
const go: Anthropic.MessageParam = { role: "user", content: "Go" };

test.each([false, true])("tools and their results by the official client (streamed: %s)", async (streamed) => {
  const model = await start(throwDice);
  const { messages } = clientOf(model);
  const ask = (conversation: Anthropic.MessageParam[]) => {
    const asked = { ...question, messages: conversation };
    return streamed ? messages.stream(asked).finalMessage() : messages.create(asked);
  };
  const first = await ask([go]);
  expect(first).toMatchObject({
    stop_reason: "tool_use",
    content: [
      { type: "thinking", thinking: "Dice it is." },
      { type: "text", text: "I throw twice." },
      { type: "tool_use", input: { sides: 6 } },
      { input: { sides: 20 } },
    ],
  });
  const uses = first.content.filter((block) => block.type === "tool_use");
  const results = uses.map(({ id }, index) => ({
    type: "tool_result" as const,
    tool_use_id: id,
    content: [{ type: "text" as const, text: ["5", "17"][index] ?? "" }],
  }));
  const reminder = { type: "text" as const, text: "A reminder beside the results is not a new prompt." };
  const last = await ask([
    go,
    { role: "assistant", content: first.content },
    { role: "user", content: [...results, reminder] },
  ]);
  expect(last).toMatchObject({ stop_reason: "end_turn", content: [{ type: "text", text: thrown }] });
  expect(last.usage.output_tokens).toBeGreaterThan(0);
  expect(model.requests.map(({ api, key }) => [api, key])).toEqual([
    ["anthropic", "test-key"],
    ["anthropic", "test-key"],
  ]);
});

test.each([
  ["length", "max_tokens"],
  ["content_filter", "refusal"],
] as const)("an answer that ends by %s says %s", async (finish, stop_reason) => {
  const { messages } = clientOf(await start(always({ say: "And", finish })));
  expect(await messages.create({ ...question, messages: [go] })).toMatchObject({ stop_reason });
  const events = await all(await messages.create({ ...question, messages: [go], stream: true }));
  expect(events.find(({ type }) => type === "message_delta")).toMatchObject({ delta: { stop_reason } });
});

test("an error in the API's form, once", async () => {
  const model = await start(always({ fail: { status: 529, message: "too busy" } }));
  await expect(clientOf(model).messages.create({ ...question, messages: [go] })).rejects.toMatchObject({
    status: 529,
    error: { type: "error", error: { type: "overloaded_error", message: "too busy" } },
  });
  expect(model.requests.length).toBe(1);
});

test("counts tokens, lists its model", async () => {
  const client = clientOf(await start(always({ say: "Hi" })));
  expect((await client.messages.countTokens({ model: "any", messages: [go] })).input_tokens).toBeGreaterThan(0);
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["scripted"]);
});
