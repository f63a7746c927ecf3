import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { clausesWithoutMutants } from "../src/core/registry/clauses.js";
import { pinsOf } from "../src/core/registry/registry.js";
import { runConformance } from "../src/index.js";
import { registryProblems } from "../src/core/registry/check.js";
import { openReference } from "../src/mutants/references.js";
import { runMutants } from "../src/mutants/run-mutants.js";
import { echo } from "./fixtures/echo/protocol.js";

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`fixtures/echo/${name}`, import.meta.url)), "utf8");

test("its registry is complete, and was reviewed with the specification that is there", () => {
  expect(registryProblems(echo.registry(), echo)).toEqual([]);
  expect(clausesWithoutMutants(echo.registry(), echo)).toEqual([]);
  expect(JSON.parse(read("registry/pins.json"))).toEqual(pinsOf(read("spec.md")));
});

test("it imports no file that imports the protocols", () => {
  const importing = ["table.ts", "reference.ts", "cases.ts", "mutants.ts", "protocol.ts"].filter((name) =>
    read(name).includes("src/index.js"),
  );
  expect(importing).toEqual([]);
});

test("its reference is conformant", async () => {
  const { target, close } = await openReference(echo, "server", undefined, undefined);
  const { outcome, totals } = await runConformance({ protocol: echo, role: "server", target, seed: 1 });
  await close();
  expect(outcome).toBe("conformant");
  expect(totals.cases.pass).toBeGreaterThan(30);
});

test("its mutants are killed for their own reason, and prove every requirement", async () => {
  const { mutants, unproven } = await runMutants({ protocol: echo, role: "server" });
  expect(mutants.filter(({ verdict }) => verdict !== "killed" && verdict !== "benign")).toEqual([]);
  expect(unproven).toEqual([]);
});

/** The guide has these files in `specs` and `src`, and so other paths. */
const inGuide = (text: string): string =>
  text.replaceAll("../../../src/", "../../").replace("spec.md", "../../../specs/echo.md");

test("the guide shows every line of it", () => {
  const guide = readFileSync(fileURLToPath(new URL("../CONTRIBUTING-CASES.md", import.meta.url)), "utf8");
  const names = ["spec.md", "registry/echo.yaml", "table.ts", "reference.ts", "cases.ts", "mutants.ts", "protocol.ts"];
  const missing = names.filter((name) => !guide.includes(inGuide(read(name)).trimEnd()));
  expect(missing).toEqual([]);
});
