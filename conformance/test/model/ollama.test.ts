import { type Message, Ollama } from "ollama";
import { expect, test } from "vitest";
import type { ScriptedModel } from "../../src/model/index.js";
import { all, always, diceSchema, start, throwDice, thrown } from "./support.js";

const clientOf = ({ urls }: ScriptedModel) => new Ollama({ host: urls.ollama });
const tools = [{ type: "function", function: { name: "dice", description: "Throws", parameters: diceSchema } }];
const begin: Message[] = [
  { role: "system", content: "Be brief" },
  { role: "user", content: "Go" },
];

test.each([false, true])("tools and their results by the official client (streamed: %s)", async (streamed) => {
  const client = clientOf(await start(throwDice));
  const ask = async (messages: Message[]) =>
    streamed
      ? all(await client.chat({ model: "any", messages, tools, stream: true }))
      : [await client.chat({ model: "any", messages, tools })];

  const first = await ask(begin);
  const calls = first.flatMap(({ message }) => message.tool_calls ?? []);
  expect(calls.map(({ function: { name, arguments: args } }) => [name, args])).toEqual([
    ["dice", { sides: 6 }],
    ["dice", { sides: 20 }],
  ]);
  expect(first.map(({ message }) => message.content).join("")).toBe("I throw twice.");
  expect(first.map(({ message }) => message.thinking ?? "").join("")).toBe("Dice it is.");
  expect(first.at(-1)).toMatchObject({ done: true, done_reason: "stop", eval_count: expect.any(Number) });

  const results = ["5", "17"].map((content) => ({ role: "tool", content, tool_name: "dice" }));
  const last = await ask([...begin, { role: "assistant", content: "I throw twice.", tool_calls: calls }, ...results]);
  expect(last.map(({ message }) => message.content).join("")).toBe(thrown);
});

test("streams by default", async () => {
  const { urls } = await start(always({ say: "One two", finish: "length" }));
  const response = await fetch(`${urls.ollama}/api/chat`, {
    method: "POST",
    body: JSON.stringify({ model: "any", messages: begin }),
  });
  const lines = (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines.length).toBe(3);
  expect(lines.at(-1)).toMatchObject({ done: true, done_reason: "length" });
});

test("an error in the API's form; its models", async () => {
  const client = clientOf(await start(always({ fail: { status: 500, message: "out of memory" } })));
  await expect(client.chat({ model: "any", messages: begin })).rejects.toThrow("out of memory");
  expect((await client.list()).models.map(({ name }) => name)).toEqual(["scripted"]);
  expect((await client.show({ model: "scripted" })).capabilities).toContain("tools");
  expect((await client.version()).version).toMatch(/^\d/);
});
