import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";

/**
 * The folder that targets work in: small, empty but for a README, and the same in every run of a user, so that a run
 * can be repeated. Call `makeWorkspace` first.
 */
export const workspace = join(tmpdir(), `editwire-conformance-${userInfo().username}`, "workspace");

/** An empty folder beside it, with a blank and an umlaut in its name. */
export const secondWorkspace = join(dirname(workspace), "zweiter Ordner für Läufe");

/** Makes the folders, if they are not there. */
export function makeWorkspace(): void {
  for (const folder of [workspace, secondWorkspace]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(workspace, "README.md"), "A workspace for conformance runs. It can be deleted.\n");
}
