import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { decode } = await bundle(import.meta.url, { decode: "readme/decode.ts" });

it("the README's example answers messages and reports noise", async () => {
  const child = spawn(process.execPath, [decode]);
  child.stdin.end('Content-Length: 7\r\n\r\n{"a":1}listening on port 80\nContent-Length: 8\r\n\r\n"é🙂"');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stdout).toBe('Content-Length: 20\r\n\r\n{"received":{"a":1}}Content-Length: 21\r\n\r\n{"received":"é🙂"}');
  expect(stderr).toContain("listening on port 80");
});
