import type { Diagnostic } from "@editwire/core";
import { expect, it } from "vitest";
import { SessionRecord } from "../src/server/record.js";
import { ServerSessions } from "../src/server/sessions.js";

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

it("takes the cursor of a compaction, of which there is none, for no bound", () => {
  const record = new SessionRecord();
  for (const title of ["a", "b", "c"]) record.add("assistant", { type: "url", title, url: "" });
  for (const cursor of [{ before: "lastCompaction" }, { after: "lastCompaction" }])
    expect(record.part({ ...cursor, limit: 2 })).toMatchObject({
      contents: [{ content: { title: "b" } }, { content: { title: "c" } }],
      meta: { total: 3, returned: 2, beforeCursor: "1" },
    });
});

it("drops the records of the least recently used sessions when all together are too large", () => {
  const diagnostics: Diagnostic[] = [];
  const sessions = new ServerSessions(undefined, (diagnostic) => diagnostics.push(diagnostic));
  const text = "x".repeat(1_048_576);
  const fill = (id: string): void => {
    const session = sessions.open(id);
    session.keep("user", { type: "text", text: `${id}\n`, contentId: id });
    for (const role of ["assistant", "system", "assistant"]) session.keep(role, { type: "text", text });
  };
  for (let n = 0; n < 42; n++) fill(`s${n}`);
  sessions.open("s0"); // used again, so s1 is the oldest now
  expect(diagnostics).toEqual([]);
  fill("s42");
  expect(diagnostics).toMatchObject([{ id: "history-dropped", method: "chat/open" }]);
  expect(diagnostics[0]?.message).toMatch(/^The history of session s1 was dropped, because all sessions /);
  const [s0, s1] = [sessions.get("s0"), sessions.get("s1")];
  expect([s0?.record.messages, s1?.record.messages]).toEqual([3, 0]);
  expect(s1).toMatchObject({ hasPast: true, listedTitle: "s1" });
});
