import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { acpProfiles } from "@editwire/acp-schema";
import type { Profile } from "@editwire/core";
import { expect, test } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { read } = await bundle(import.meta.url, { read: "readme/read.ts" });
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README's program prints what the README says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [read]);
  expect(readme).toContain(`\`\`\`console\n${stdout}\`\`\``);
});

/** What a profile's table makes of the rows with one id. */
function fate({ deviations = [] }: Profile, id: string): string | undefined {
  const rows = deviations.filter((row) => row.id === id);
  if (rows.length === 0) return undefined;
  return rows.every((row) => row.repair) ? "repaired" : "kept";
}

test("the README lists every deviation with its fate in each dialect", () => {
  const rows = [...readme.matchAll(/^\| `([\w-]+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map(
    ([, id = "", summary, one, two]) => ({
      id,
      summary,
      one,
      two,
    }),
  );
  const all = [...(acpProfiles.spec.deviations ?? []), ...(acpProfiles.v1.deviations ?? [])];
  expect(rows.map(({ id }) => id).sort()).toEqual([...new Set(all.map(({ id }) => id))].sort());
  for (const { id, summary, one, two } of rows) {
    expect(all.find((row) => row.id === id)?.summary.replaceAll("_", "\\_")).toBe(
      summary?.replaceAll("`", "").replaceAll("_", "\\_"),
    );
    expect([one, two], id).toEqual([
      fate(acpProfiles.spec, id) ?? expect.stringMatching(/^(own form|allowed|refused)$/),
      fate(acpProfiles.v1, id) ?? expect.stringMatching(/^(own form|allowed|refused)$/),
    ]);
  }
});
