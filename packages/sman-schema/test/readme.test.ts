import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { type Profile } from "@editwire/core";
import { smanProfiles } from "@editwire/sman-schema";
import { expect, test } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { read } = await bundle(import.meta.url, { read: "readme/read.ts" });
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README's program prints what the README says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [read]);
  expect(readme).toContain(`\`\`\`console\n${stdout}\`\`\``);
});

function fate({ deviations = [] }: Profile, id: string): string {
  const rows = deviations.filter((row) => row.id === id);
  if (rows.length === 0) return "own form";
  return rows.every((row) => row.repair) ? "repaired" : "kept";
}

test("the README lists every deviation with its fate in each dialect", () => {
  const rows = [...readme.matchAll(/^\| `([\w-]+)` \| (.+) \| (.+) \| (.+) \|$/gm)].map(
    ([, id = "", summary, one, two]) => [id, summary, one, two],
  );
  const ids = [
    ...new Set([...(smanProfiles.spec.deviations ?? []), ...(smanProfiles.v2.deviations ?? [])].map(({ id }) => id)),
  ];
  const summaryOf = (id: string): string | undefined =>
    smanProfiles.spec.deviations?.find((row) => row.id === id)?.summary;
  expect(rows).toEqual(ids.map((id) => [id, summaryOf(id), fate(smanProfiles.spec, id), fate(smanProfiles.v2, id)]));
});
