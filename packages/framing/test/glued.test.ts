import { contentLength, detecting, ndjson } from "@editwire/framing";
import { describe, expect, it } from "vitest";
import { bad, bytewise, concat, decode, frame, open, outline, platforms, utf8, values } from "./support/streams.js";

const codecs = { ndjson, detecting, "content-length body": () => contentLength({ noise: "resync" }) };
const message = { jsonrpc: "2.0", id: 3, result: { text: 'naïve {"id":4} 日本' } };
const json = JSON.stringify(message);

/** The `data.found` of each bad frame. */
const found = (frames: ReturnType<typeof decode>): unknown[] =>
  bad(frames).map(({ error }) => (error.data as { found?: unknown }).found);

describe.each(platforms)("a line that is not one message (%s)", (platform) => {
  const framer = (codec = ndjson) => open(codec(), undefined, platform);

  describe.each(Object.entries(codecs))("%s", (name, codec) => {
    const line = (text: string): string => (name === "content-length body" ? frame(text) : `${text}\n`);

    it.each([
      ["a terminal title", "\u001b]0;my: title\u0007"],
      ["a terminal title that ends otherwise", "\u001b]2;ready\u001b\\"],
      ["a colour", "\u001b[0m"],
      ["a spinner", "\r\u001b[2K⠋"],
      ["a byte order mark", "\uFEFF"],
      ["text of a shell profile", "Now using node v20.11.0"],
      ["text that ends as a sentence", "Welcome back!"],
      ["braces", "{ready} {a: 1}…"],
      ["a message that was cut off", '{"jsonrpc":"2.0","method":"session/upd'],
      ["zeros", "\0\0\0"],
    ])("reads a message behind %s, and reports what is skipped", (_name, noise) => {
      const text = line(json) + line(noise + json) + line(json);
      for (const chunks of [[text], bytewise(utf8(text))]) {
        const frames = decode(framer(codec), ...chunks);
        expect(outline(frames)).toEqual([message, "framing", message, message]);
        expect(bad(frames)[0]?.error.data).toMatchObject({ excerpt: (noise + json).slice(0, 200) });
        expect(values(frames)[1]).toEqual(message);
      }
    });

    it("gives the bytes of the message that it reads", () => {
      expect(decode(framer(codec), line(`\u0007${json}`))[1]).toMatchObject({ ok: true, length: utf8(json).length });
    });

    it.each([
      ["behind each other", `${json}${json}`],
      ["on a line of JSON", `{"level":"info"}${json}`],
    ])("reads messages %s", (_name, text) => {
      expect(values(decode(framer(codec), line(text)))).toEqual([JSON.parse(text.slice(0, -json.length)), message]);
    });

    it.each(["sent: ", "<- ", "[debug] ", "-> \u001b[32m", "payload=", "received\t", "said "])(
      "takes no message from a text that may quote it: %j",
      (label) => {
        const frames = decode(framer(codec), line(label + json));
        expect(outline(frames)).toEqual(["framing"]);
        expect(frames).toMatchObject([{ ok: false, fatal: false, value: message }]);
        expect(found(frames)).toEqual(["quoted"]);
      },
    );

    it.each([
      ["a number that JSON does not have", `{"jsonrpc":"2.0","id":3,"result":{"cost":NaN,"of":{"id":4,"result":{}}}}`],
      ["its end missing", `{"jsonrpc":"2.0","id":3,"result":{"id":4,"list":[{"id":5,"result":{}}`],
      ["text before it, too", `loading…{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_`],
      ["a quote that is not escaped", `{"jsonrpc":"2.0","result":"a "quoted" word","id":3}`],
    ])("shows which message is broken: one with %s", (_name, text) => {
      const frames = decode(framer(codec), line(text));
      expect(frames).toMatchObject([{ ok: false, value: { jsonrpc: "2.0", id: 3 } }]);
      expect(found(frames)).toEqual(["outline"]);
    });
  });

  it("shows the members of an object in a broken message, and nothing deeper", () => {
    const frames = decode(framer(), '{"name":"R","data":{"of":"a","deep":{"id":4},"list":[{"id":5}],"cost":NaN}}\n');
    const value = { name: "R", data: { of: "a", deep: null, list: null, cost: null } };
    expect(frames).toMatchObject([{ ok: false, value }]);
  });

  it("shows nothing of a member that is cut", () => {
    const frames = decode(framer(), '{"jsonrpc":"2.0","result":true,"id":1');
    expect(frames).toMatchObject([{ ok: false, value: { jsonrpc: "2.0", result: true, id: null } }]);
  });

  it("reads a message behind noise that is not UTF-8, unless it has such bytes itself", () => {
    const noise = Uint8Array.of(0x1b, 0x5d, 0x30, 0x3b, 0xe9, 7);
    expect(outline(decode(framer(), concat(noise, json, "\n")))).toEqual(["framing", message]);
    const frames = decode(framer(), concat(noise, '{"id":1,"result":"', Uint8Array.of(0xe9), '"}\n'));
    expect(frames).toMatchObject([{ ok: false, value: { id: 1, result: "\uFFFD" } }]);
  });

  it("shows which message was too long", () => {
    const frames = decode(open(ndjson(), { maxMessageBytes: 1000 }, platform), json.replace("日", "日".repeat(1000)));
    expect(frames).toMatchObject([{ ok: false, value: { id: 3, result: {} }, error: { code: "too_large" } }]);
  });

  it.each([
    ["beginnings of objects", '{"a'.repeat(400_000)],
    ["nested objects", '{"a":'.repeat(200_000)],
    ["quotes and backslashes", `{"${'\\"'.repeat(400_000)}`],
    ["noise before beginnings", `${"x ".repeat(400_000)}{"`],
  ])("spends no more than linear time on %s", (_name, text) => {
    const started = performance.now();
    expect(outline(decode(framer(), `${text}\n`, `${json}\n`))).toEqual(["framing", message]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
