import { acpV2Profile, acpV2Revision, V2SessionUpdate } from "@editwire/acp-schema/v2";
import { openUnionOf } from "@editwire/core";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { schema } from "../support/v2-package.js";

const section = /\n## Version 2\n.*?\n## /s.exec(readFileSync(schema.url("README.md"), "utf8"))?.[0] ?? "";

test("the README lists every deviation of version 2", () => {
  const listed = [...section.matchAll(/^\| `([\w-]+)` \| (.+) \|$/gm)].map(([, id, summary]) => `${id}: ${summary}`);
  const rows = (acpV2Profile.deviations ?? []).map(({ id, summary }) => `${id}: ${summary}`);
  expect(listed).toEqual([...new Set(rows)]);
});

test("the updates that only the newest draft has are in our table", () => {
  const kinds = Object.keys(openUnionOf(V2SessionUpdate)?.variants ?? {});
  expect(kinds).toEqual(expect.arrayContaining([...acpV2Revision.newer.updates]));
});
