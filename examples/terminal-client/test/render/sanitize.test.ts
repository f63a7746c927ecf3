import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTextStream, escapeControls, oneLine, plainOutput } from "../../src/render/sanitize.js";

const printable = /^(?:[\n\t\u200c\u200d]|[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])*$/u;

describe("escapeControls", () => {
  test.each([
    ["an escape sequence", "\u001b[2J\u001b[31mred", "␛[2J␛[31mred"],
    ["a title sequence", "\u001b]0;title\u0007", "␛]0;title␇"],
    ["C0 and DEL", "a\0b\bc\rd\u007f", "a␀b␈c␍d␡"],
    ["C1", "\u009b31m\u0090", "<U+009B>31m<U+0090>"],
    ["a bidi override", "if (admin\u202e // no\u2066", "if (admin<U+202E> // no<U+2066>"],
    ["zero-width characters and tags", "a\u200b\ufeff\u{e0041}", "a<U+200B><U+FEFF><U+E0041>"],
    ["line separators", "a\u2028b\u2029", "a<U+2028>b<U+2029>"],
    ["a lone surrogate", "a\ud83d", "a\ufffd"],
  ])("makes %s visible", (_name, text, expected) => {
    expect(escapeControls(text)).toBe(expected);
  });

  test("leaves line breaks, tabs, other scripts and joined emoji alone", () => {
    const text = "a\tb\nשלום 日本 👩‍💻 क्‍ष";
    expect(escapeControls(text)).toBe(text);
    expect(escapeControls("a\r\nb")).toBe("a\nb");
  });

  test("lets nothing through that a terminal obeys", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => printable.test(escapeControls(text))));
  });
});

test("oneLine is one line without controls", () => {
  expect(oneLine("  rm -rf\n\t/ \u001b[8m ")).toBe("rm -rf / ␛[8m");
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      (text) => printable.test(oneLine(text)) && !/[\n\t]/.test(oneLine(text)),
    ),
  );
});

test("plainOutput drops colours and reads a carriage return as a new line", () => {
  expect(plainOutput("\u001b[32mok\u001b[39m 1\r\n50%\r100%\u0007")).toBe("ok 1\n50%\n100%␇");
});

describe("createTextStream", () => {
  test("joins a character that was cut in two", () => {
    const stream = createTextStream();
    expect(stream.push("a\ud83d")).toBe("a");
    expect(stream.push("\ude00b\r")).toBe("😀b");
    expect(stream.push("\nc")).toBe("\nc");
    expect(stream.end()).toBe("");
  });

  test("shows what was held back at the end", () => {
    const stream = createTextStream();
    expect(stream.push("a\r")).toBe("a");
    expect(stream.end()).toBe("␍");
    expect(stream.end()).toBe("");
  });

  test("gives, chunk by chunk, what the whole text would", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("\r", "\n", "\ud83d", "\ude00", "\u001b", "a") })),
        (chunks) => {
          const stream = createTextStream();
          expect(chunks.map((chunk) => stream.push(chunk)).join("") + stream.end()).toBe(
            escapeControls(chunks.join("")),
          );
        },
      ),
    );
  });
});
