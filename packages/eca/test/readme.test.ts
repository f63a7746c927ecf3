import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { client, server } = await bundle(import.meta.url, { client: "readme/client.ts", server: "readme/server.ts" });

it("the README's editor runs a turn of the README's server", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [client, process.execPath, server]);
  expect(stdout.split("\n")).toEqual([
    "Looking around.",
    "[pending] Deleting build/",
    "",
    "[waiting] Deleting build/",
    "",
    "[rejected] Deleting build/",
    "",
    "end_turn",
    "3 entries to render, 0 tokens",
    "",
  ]);
});
