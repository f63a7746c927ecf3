import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * The folder that targets work in: small, empty but for a README, and the same in every run of a user, so that a run
 * can be repeated. It is made by `makeWorkspace`.
 */
export const workspace = join(tmpdir(), `editwire-conformance-${userInfo().username}`, "workspace");

/** Makes the folder, if it is not there. */
export function makeWorkspace(): void {
  mkdirSync(workspace, { recursive: true, mode: 0o700 });
  writeFileSync(join(workspace, "README.md"), "A workspace for conformance runs. It can be deleted.\n");
}
