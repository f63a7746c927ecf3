import { expect, it } from "vitest";
import { readTurn } from "../src/turn.js";

const call = (id: string, name: string, args: string) => ({ id, type: "function", function: { name, arguments: args } });

it("reads a conversation as the prompt, what came before it and what came after", () => {
  const turn = readTurn({
    model: "m",
    tools: [{ function: { name: "read_file" } }],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "First" },
      { role: "assistant", content: null, tool_calls: [call("a", "read_file", '{"path":"x"}')] },
      { role: "tool", tool_call_id: "a", content: "one" },
      { role: "assistant", content: "Done." },
      { role: "user", content: [{ type: "text", text: "Second" }, { type: "image_url" }, { type: "text", text: "part" }] },
      { role: "assistant", content: null, tool_calls: [call("b", "read_file", "{broken"), call("c", "search", '{"pattern":"y"}')] },
      { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "two" }] },
    ],
  });
  expect(turn).toEqual({
    prompt: "Second\npart",
    tools: new Set(["read_file"]),
    earlier: [{ name: "read_file", args: { path: "x" }, result: "one" }],
    rounds: [
      [
        { name: "read_file", args: {}, result: "" },
        { name: "search", args: { pattern: "y" }, result: "two" },
      ],
    ],
  });
});

it("reads a conversation without a user as one without a prompt", () => {
  expect(readTurn({ model: "m", messages: [{ role: "system", content: "Hello" }] })).toMatchObject({ prompt: "", earlier: [], rounds: [] });
});
