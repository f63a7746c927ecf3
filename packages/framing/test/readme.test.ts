import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the README's example answers messages and reports noise", async () => {
  const file = fileURLToPath(new URL("readme/decode.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", "--conditions=@editwire/source", file]);
  child.stdin.end('Content-Length: 7\r\n\r\n{"a":1}listening on port 80\nContent-Length: 8\r\n\r\n"é🙂"');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stdout).toBe('Content-Length: 20\r\n\r\n{"received":{"a":1}}Content-Length: 21\r\n\r\n{"received":"é🙂"}');
  expect(stderr).toContain("listening on port 80");
});
