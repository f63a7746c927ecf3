import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { ecaProfiles } from "@editwire/eca-schema";
import type { Profile } from "@editwire/core";
import { expect, test } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { read } = await bundle(import.meta.url, { read: "readme/read.ts" });
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README's program prints what the README says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [read]);
  expect(readme).toContain(`\`\`\`console\n${stdout}\`\`\``);
});

/** What a profile's table makes of one row. */
function fate({ deviations = [] }: Profile, id: string, summary: string): string | undefined {
  const row = deviations.find((other) => other.id === id && other.summary === summary);
  return row && (row.repair ? "repaired" : "kept");
}

test("the README lists every deviation with its fate in each dialect", () => {
  const rows = [...readme.matchAll(/^\| `([\w-]+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map(
    ([, id = "", summary = "", one, two]) => ({
      id,
      summary,
      one,
      two,
    }),
  );
  const all = [...(ecaProfiles.spec.deviations ?? []), ...(ecaProfiles.v2026.deviations ?? [])];
  expect(rows.map(({ id, summary }) => `${id}: ${summary}`).sort()).toEqual(
    [...new Set(all.map(({ id, summary }) => `${id}: ${summary}`))].sort(),
  );
  for (const { id, summary, one, two } of rows) {
    expect([one, two], id).toEqual([
      fate(ecaProfiles.spec, id, summary) ?? expect.stringMatching(/^(own form|allowed)$/),
      fate(ecaProfiles.v2026, id, summary) ?? expect.stringMatching(/^(own form|allowed)$/),
    ]);
  }
});
