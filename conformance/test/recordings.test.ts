import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkTrace, findProtocol } from "../src/index.js";

/** The connections of a recorded client; each begins with `initialize`. */
function connections(name: string): string[] {
  const text = readFileSync(new URL(`fixtures/recordings/${name}.ndjson`, import.meta.url), "utf8");
  return text.split(/^(?=.*"method":"initialize")/m).filter((part) => part !== "");
}

test("no monitor accuses a real client, which resumes sessions whose modes it knows from before", () => {
  const found = connections("acp-client").map((text) => checkTrace(findProtocol("acp"), "client", text, "v1"));
  expect(found).toHaveLength(4);
  for (const { checks, outcome } of found) {
    expect(checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(outcome).toBe("passed");
  }
});
