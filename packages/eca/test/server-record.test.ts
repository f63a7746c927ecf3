import { expect, it } from "vitest";
import { SessionRecord } from "../src/server-record.js";

it("puts pieces of one text together, and keeps apart what others say, think and ask", () => {
  const record = new SessionRecord();
  record.add("user", { type: "text", text: "a\n", contentId: "1" });
  record.add("user", { type: "text", text: "b\n", contentId: "2" });
  record.add("system", { type: "progress", state: "running", text: "Generating" });
  for (const text of ["x", "y"]) record.add("assistant", { type: "reasonText", id: "r", text });
  record.add("assistant", { type: "reasonText", id: "s", text: "z" });
  for (const text of ["c", "d"]) record.add("assistant", { type: "text", text });
  record.add("system", { type: "text", text: "e" });
  expect(record.contents.map(({ content }) => (content as { text: string }).text)).toEqual([
    "a\n",
    "b\n",
    "xy",
    "z",
    "cd",
    "e",
  ]);
  expect(record.messages).toBe(3);
  expect(record.prompts).toEqual(["1", "2"]);
});

it("is bounded by the number and by the length of what it keeps, and the last of it stays", () => {
  const record = new SessionRecord();
  for (let index = 0; index < 20_100; index++) record.add("assistant", { type: "url", title: String(index), url: "" });
  expect(record.contents.length).toBeLessThan(20_000);
  expect(record.contents.length).toBeGreaterThanOrEqual(10_000);
  expect(record.contents.at(-1)).toMatchObject({ place: 20_099, content: { title: "20099" } });
  for (let index = 0; index < 10; index++)
    record.add(index % 2 === 0 ? "assistant" : "user", { type: "text", text: `${index}`.padEnd(1_000_000) });
  expect(record.contents.length).toBeLessThan(10);
  expect(record.contents.at(-1)?.content).toMatchObject({ text: expect.stringMatching(/^9/) });
});
