import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readIncidents } from "../../src/incidents/read-incidents.js";

const folder = mkdtempSync(join(tmpdir(), "kaiak-incidents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const roots = { report: "/opt/input/source", project: "/home/me/receipts" };

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("a report of Konveyor's analyzer", () => {
  const report = fileURLToPath(new URL("../fixtures/output.yaml", import.meta.url));

  it("gives incidents with Kaiak's severity and effort, and paths of this machine", async () => {
    const { incidents, context } = await readIncidents(report, roots);
    const bind = { rule_id: "javax-xml-bind-00001", severity: "error", effort: "trivial" };
    const description = "The package javax.xml.bind is not part of Java any more";
    expect(incidents).toEqual([
      {
        ...bind,
        id: "javax-xml-bind-00001-1",
        message: "`javax.xml.bind.DatatypeConverter` was removed. Use `java.util.Base64`.",
        description,
        uri: "src/main/java/com/example/DataConverter.java",
        line_number: 4,
      },
      {
        ...bind,
        id: "javax-xml-bind-00001-2",
        message: "`javax.xml.bind.DatatypeConverter` was removed. Use `java.util.HexFormat`.",
        description,
        uri: "src/main/java/com/example/Fingerprint.java",
        line_number: 6,
      },
      {
        id: "maven-compiler-00001-1",
        rule_id: "maven-compiler-00001",
        message: "The compiler targets Java 8",
        severity: "warning",
        effort: "medium",
        uri: "pom.xml",
      },
      {
        id: "maven-compiler-00001-2",
        rule_id: "maven-compiler-00001",
        message: "maven-compiler-00001",
        severity: "warning",
        effort: "medium",
        uri: "file:///root/.m2/repository/a.jar",
      },
    ]);
    expect(context).toEqual({ source_technology: "openjdk8", target_technology: "openjdk17" });
  });

  it.each([
    ["mandatory", 0, "error", "trivial"],
    ["optional", 2, "info", "low"],
    ["potential", 4, "warning", "medium"],
    ["something", 13, "warning", "high"],
    [null, null, "warning", undefined],
  ])("maps the category %s and %s story points", async (category, effort, severity, mapped) => {
    const violations = { r: { description: "d", category, effort, incidents: [{ uri: "file:///a", message: "m" }] } };
    const { incidents } = await readIncidents(file("r.json", JSON.stringify([{ violations }])), roots);
    expect(incidents).toMatchObject([{ severity }]);
    expect(incidents[0]?.effort).toBe(mapped);
  });
});

describe("incidents of Kaiak", () => {
  const incident = { id: "1", rule_id: "r", message: "m", extra: { kept: true } };

  it("are a list, or an object with what is known of the migration", async () => {
    const list = file("list.json", JSON.stringify([incident]));
    expect(await readIncidents(list, roots)).toEqual({ incidents: [incident], context: {} });
    const context = { target_technology: "Java 17" };
    const whole = file("whole.json", JSON.stringify({ incidents: [incident], migration_context: context }));
    expect(await readIncidents(whole, roots)).toEqual({ incidents: [incident], context });
  });
});

it.each([
  ["has no incidents", "[]", "has no incidents"],
  ["has rulesets without violations", "- name: rules\n  tags: [Java]\n", "has no incidents"],
  ["lacks a field", '{"incidents":[{"id":"1","rule_id":"r"}]}', "message"],
  ["is something else", "a text", "no incidents that can be read"],
  ["is not YAML", "a: [", "Cannot read"],
])("a file that %s is refused", async (_what, text, message) => {
  const error: unknown = await readIncidents(file("bad.yaml", text), roots).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "IncidentFileError", message: expect.stringContaining(message) });
});

it("a file that is not there is refused", async () => {
  await expect(readIncidents(join(folder, "none.json"), roots)).rejects.toThrow("Cannot read");
});
