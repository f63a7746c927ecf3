import { describe, expect, test } from "vitest";
import { FrameCutter } from "../src/wire/framing.js";

const cut = (bytes: string | Uint8Array) => new FrameCutter().push(Buffer.from(bytes));

describe("the reader of the suite", () => {
  test.each([
    "Content-Length: 2\r\n\r\n{}",
    "content-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
    "Content-Length:2\n\n{}",
    "{}\r\n",
  ])("reads %j", (bytes) => {
    expect(cut(bytes)).toMatchObject([{ ok: true, message: {} }]);
  });

  test.each(["working...\n{}\n", "\ufeff{}\n", "content-type: application/json\r\n\r\n", "Content-Length: 2\r\n{}"])(
    "does not take %j for messages alone",
    (bytes) => {
      expect(cut(bytes)[0]).toMatchObject({ ok: false });
    },
  );

  test("notices a blank line between two messages with headers, and none inside of a message", () => {
    const message = "Content-Length: 4\r\n\r\n{\r\n}";
    const frames = cut(`${message}\r\n${message}${message}`);
    const before = frames.map((one) => (one.ok ? one.frame.before : "not a message"));
    expect(before).toEqual([undefined, "blank line", undefined]);
  });
});
