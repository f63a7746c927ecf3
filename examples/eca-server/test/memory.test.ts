import type { EcaServerSession } from "@editwire/eca";
import { expect, it } from "vitest";
import { memoryHandlers, memoryOf } from "../src/memory.js";

const chatOf = (id: string): EcaServerSession => ({ id, title: undefined, state: new Map() });
const said = (chat: EcaServerSession): unknown[] => memoryOf(chat).history.map(({ content }) => content);

/** A chat with two prompts and their answers, a command between them, and a prompt that was stopped before it began. */
function remembered(): EcaServerSession {
  const chat = chatOf("a");
  const { history, prompts } = memoryOf(chat);
  prompts.set("one", { at: 0, said: true });
  history.push({ role: "user", content: "1" }, { role: "assistant", content: "answer 1" });
  prompts.set("command", { at: 2, said: false });
  prompts.set("two", { at: 2, said: true });
  history.push({ role: "user", content: "2" }, { role: "assistant", content: "answer 2" });
  return chat;
}

const all = ["one", "command", "never began", "two"];

it.each([
  ["one", []],
  ["command", ["1", "answer 1"]],
  ["never began", ["1", "answer 1"]],
  ["two", ["1", "answer 1"]],
])("takes back what was said from the prompt %s on", async (prompt, left) => {
  const chat = remembered();
  await memoryHandlers.rollbackSession(chat, all.slice(all.indexOf(prompt)), ["messages"]);
  expect(said(chat)).toEqual(left);
  expect([...memoryOf(chat).prompts.keys()]).toEqual(
    all.slice(0, all.indexOf(prompt)).filter((id) => id !== "never began"),
  );
});

it.each([
  ["one", ["1"]],
  ["command", ["1", "answer 1"]],
  ["never began", ["1", "answer 1"]],
  ["two", ["1", "answer 1", "2"]],
])("forks what was said up to the prompt %s", (prompt, kept) => {
  const [chat, fork] = [remembered(), chatOf("b")];
  memoryHandlers.forkSession(chat, fork, all.slice(0, all.indexOf(prompt) + 1));
  expect(said(fork)).toEqual(kept);
  expect(said(chat)).toHaveLength(4);
});
