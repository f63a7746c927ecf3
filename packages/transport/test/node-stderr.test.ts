import { expect, it } from "vitest";
import { StderrTail, tellingLine } from "../src/node/stderr.js";

it("keeps the last bytes, from a whole character on", () => {
  const tail = new StderrTail(10);
  for (const text of ["a long beginning ", "é漢", "😀", "xyz"]) tail.add(text);
  expect(tail.text()).toBe("漢😀xyz");
  tail.add("w");
  expect(tail.text()).toBe("😀xyzw");
});

it.each([
  ["", undefined],
  ["\n\n", undefined],
  ["one line", "one line"],
  ['Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no key\r\n', "ValueError: no key"],
  ["Error: boom\n    at a (b.js:1:1) {\n  code: 'E'\n}\n\nNode.js v20.20.2\n", "Error: boom"],
])("finds the line of %j that says most", (stderr, line) => {
  expect(tellingLine(stderr)).toBe(line);
});
