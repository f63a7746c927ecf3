import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { kaiakProfiles } from "@editwire/kaiak-schema";
import { expect, test } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { read } = await bundle(import.meta.url, { read: "readme/read.ts" });
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README's program prints what the README says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [read]);
  expect(readme).toContain(`\`\`\`console\n${stdout}\`\`\``);
});

test("the README lists every deviation", () => {
  const rows = [...readme.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([, id, summary]) => [id, summary]);
  const all = Object.values(kaiakProfiles).flatMap(({ deviations = [] }) => deviations);
  const known = new Map(all.map(({ id, summary }) => [id, summary]));
  expect(rows).toEqual([...known]);
});
