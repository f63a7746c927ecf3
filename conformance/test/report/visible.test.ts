import { describe, expect, test } from "vitest";
import { isDeep, valueText } from "../../src/report/value-text.js";
import { visible, visibleLine } from "../../src/report/visible.js";

describe("text of a target", () => {
  test.each([
    ["an escape sequence", "\u001b[2J\u001b]0;x\u0007", "\\u001b[2J\\u001b]0;x\\u0007"],
    ["a C1 control", "\u009b31m", "\\u009b31m"],
    ["a right-to-left override", "a\u202eb", "a\\u202eb"],
    ["zero width", "a\u200bb\ufeff", "a\\u200bb\\ufeff"],
    ["tag characters", "\u{e0041}", "\\udb40\\udc41"],
    ["a lone surrogate", "\ud800x\udc00", "\\ud800x\\udc00"],
    ["a carriage return that would hide the line", "evil\rgood", "evil\\u000dgood"],
  ])("%s is shown", (_name, text, expected) => expect(visible(text)).toBe(expected));

  test("letters of every script, emoji, line feeds and tabs stay", () => {
    const text = "é ß 漢字 עברית العربية 🎉\n\tx";
    expect(visible(text)).toBe(text);
    expect(visibleLine("a\r\nb\tc")).toBe("a\\nb\\tc");
  });
});

test("values become text whatever they are", () => {
  expect(valueText({ a: [1, null] })).toBe('{"a":[1,null]}');
  expect(valueText(undefined)).toContain("undefined");
  expect(valueText(1n)).toContain("bigint");
  expect(valueText(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)))).toContain("object");
});

test("depth is counted outside of strings", () => {
  expect(isDeep("[".repeat(201))).toBe(true);
  expect(isDeep("[]".repeat(1000))).toBe(false);
  expect(isDeep(JSON.stringify(`"${"[".repeat(500)}\\`))).toBe(false);
});
