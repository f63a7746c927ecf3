import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const command = (name: string): string[] => [
  process.execPath,
  "--import",
  "tsx",
  "--conditions=@editwire/source",
  fileURLToPath(new URL(`readme/${name}`, import.meta.url)),
];

it("the README's editor runs a turn of the README's server", async () => {
  const [node = "", ...args] = [...command("client.ts"), ...command("server.ts")];
  const { stdout } = await promisify(execFile)(node, args);
  expect(stdout.split("\n")).toEqual([
    "Looking around.",
    "[preparing] Deleting build/",
    "",
    "[waiting] Deleting build/",
    "",
    "[rejected] Deleting build/",
    "",
    "finished",
    "3 entries to render, 0 tokens",
    "",
  ]);
});
