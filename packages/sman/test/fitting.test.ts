import { expect, it } from "vitest";
import { fitting } from "../src/plugin/fitting.js";

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

it.each(["a", "\u0001", "\n", '"\\', "é", "待", "🚀", "\ud800", "a🚀\u0000"])(
  "cuts texts of %j to the last byte that fits (C67)",
  (unit) => {
    const text = unit.repeat(1_000);
    expect(fitting(text, bytesOf(text))).toBe(text);
    for (const max of [300, 301, 302, 303, 304, 305]) {
      const cut = fitting(text, max);
      expect(cut).toMatch(new RegExp(`已截断（原文 ${text.length} 字符）$`));
      expect(bytesOf(cut)).toBeLessThanOrEqual(max);
      expect(bytesOf(cut)).toBeGreaterThan(max - 7);
      expect(text.startsWith(cut.slice(0, cut.indexOf("\n\n> ⚠️")))).toBe(true);
    }
  },
);
