import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });

/** Why there is nothing in Python here, where there is not. */
export const withoutPython = python.status === 0 ? undefined : "needs python3";

/** The command of a program of `test/fixtures/python`. */
export function inPython(name: string): string[] {
  return [
    python.stdout?.trim() ?? "",
    fileURLToPath(new URL(`../../test/fixtures/python/${name}.py`, import.meta.url)),
  ];
}
