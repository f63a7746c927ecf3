import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Incident } from "@editwire/kaiak";
import { onTestFinished } from "vitest";

/** The sample project of this example. */
const sample = fileURLToPath(new URL("../../sample", import.meta.url));

/** The two Java files of the sample that do not compile on Java 17. */
export const converter = "src/main/java/com/example/DataConverter.java";
export const fingerprint = "src/main/java/com/example/Fingerprint.java";

/** A copy of the sample project, which goes away with the test. */
export interface Project {
  readonly folder: string;
  read(path: string): Promise<string>;
}

/** Copies the sample project. */
export async function copyProject(): Promise<Project> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "kaiak-project-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(sample, folder, { recursive: true });
  return { folder, read: (path) => readFile(join(folder, path), "utf8") };
}

/** An incident of the sample, at a path or URI. */
export function incidentAt(uri: string | undefined): Incident & { uri?: string } {
  const message = "Use of deprecated API javax.xml.bind.DatatypeConverter";
  return { id: `at ${uri}`, rule_id: "deprecated-api-usage", message, ...(uri === undefined ? {} : { uri }) };
}
