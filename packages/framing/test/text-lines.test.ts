import { spawn } from "node:child_process";
import { readLines, textLines } from "@editwire/framing";
import { expect, it, onTestFinished } from "vitest";
import { bytewise, utf8 } from "./support/streams.js";

/** The lines of a text that arrives whole, and byte by byte. */
function cut(text: string, maxLineChars?: number): string[][] {
  return [[utf8(text)], bytewise(utf8(text))].map((chunks) => {
    const lines = textLines({ maxLineChars });
    return [...chunks.flatMap((chunk) => lines.push(chunk)), ...lines.end()];
  });
}

it.each([
  ["LF and CRLF", "a\n\r\nb\r\n\nc", ["a", "", "b", "", "c"]],
  ["no other line breaks", "a\u2028b\u2029c\u0085d\re\vf\n", ["a\u2028b\u2029c\u0085d\re\vf"]],
  ["characters of several bytes", "naïve 日本\n🙂\n", ["naïve 日本", "🙂"]],
  ["a byte order mark", "\uFEFFa\n", ["a"]],
  ["nothing", "", []],
])("cuts at %s", (_name, text, lines) => {
  expect(cut(text)).toEqual([lines, lines]);
});

it("takes text, too, as of a stream with an encoding", () => {
  const lines = textLines();
  expect([...lines.push("a\nb"), ...lines.push("c\r\n"), ...lines.end()]).toEqual(["a", "bc"]);
});

it("gives a line above the limit in pieces", () => {
  for (const lines of cut(`${"x".repeat(25)}\nb\n`, 10)) {
    expect(lines.slice(0, -1).join("")).toBe("x".repeat(25));
    expect(lines.at(-1)).toBe("b");
  }
});

it("leaves a process's output open when the reading ends early", async () => {
  const child = spawn(process.execPath, ["--eval", 'console.log("one\\ntwo"); process.stdin.pipe(process.stdout)']);
  onTestFinished(() => void child.kill());
  for await (const line of readLines(child.stdout)) {
    expect(line).toBe("one");
    break;
  }
  child.stdin.end("three\n");
  const rest: string[] = [];
  for await (const line of readLines(child.stdout)) rest.push(line);
  expect(rest.at(-1)).toBe("three");
});
