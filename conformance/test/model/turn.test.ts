import { expect, test } from "vitest";
import { messageOf, type ModelMessage, type OfferedTool } from "../../src/model/conversation.js";
import { readTurn } from "../../src/model/turn.js";

const tool: OfferedTool = { name: "read_file", description: "", parameters: {} };
const turnOf = (messages: readonly ModelMessage[]) => readTurn({ model: "m", messages, tools: [tool], stream: false });
const user = (text: string) => messageOf("user", { text });

test("a conversation is the prompt, what came before it and what came after", () => {
  const turn = turnOf([
    messageOf("system", { text: "Be brief." }),
    user("First"),
    messageOf("assistant", { calls: [{ id: "a", name: "read_file", args: { path: "x" } }] }),
    messageOf("tool", { results: [{ id: "a", text: "one" }] }),
    messageOf("assistant", { text: "Done." }),
    user("Second"),
    messageOf("assistant", {
      calls: [
        { id: "b", name: "read_file", args: {} },
        { id: "c", name: "search", args: { pattern: "y" } },
      ],
    }),
    messageOf("tool", { results: [{ id: "c", text: "two" }] }),
  ]);
  expect(turn).toEqual({
    prompt: "Second",
    past: ["First"],
    system: "Be brief.",
    tools: new Map([["read_file", tool]]),
    earlier: [{ name: "read_file", args: { path: "x" }, result: "one" }],
    rounds: [
      [
        { name: "read_file", args: {}, result: "" },
        { name: "search", args: { pattern: "y" }, result: "two" },
      ],
    ],
  });
});

test("results without ids go to the calls of their names, in order", () => {
  const calls = ["read", "search", "read"].map((name) => ({ name, args: {} }));
  const results = [
    { name: "read", text: "1" },
    { name: "read", text: "3" },
    { name: "search", text: "2" },
  ];
  expect(turnOf([user("Go"), messageOf("assistant", { calls }), messageOf("user", { results })]).rounds).toMatchObject([
    [{ result: "1" }, { result: "2" }, { result: "3" }],
  ]);
});

test("an answer that is kept as several messages is one round", () => {
  const turn = turnOf([
    user("Go"),
    messageOf("assistant", { text: "I" }),
    messageOf("assistant", { calls: [{ name: "read", args: {} }] }),
    messageOf("tool", { results: [{ text: "1" }] }),
    messageOf("assistant", { text: "end" }),
  ]);
  expect(turn.rounds).toEqual([[{ name: "read", args: {}, result: "1" }], []]);
});

test("without a user there is no prompt", () => {
  expect(turnOf([messageOf("system", { text: "Hello" })])).toMatchObject({ prompt: "", earlier: [], rounds: [] });
});
