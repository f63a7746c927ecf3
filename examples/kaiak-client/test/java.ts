import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The version of the JDK that is found here; undefined without one. */
export const jdk: number | undefined = versionOf(spawnSync("javac", ["-version"], { encoding: "utf8" }));

/** Compiles a project. Returns what the compiler says; undefined when it has no errors. */
export function compile(folder: string): string | undefined {
  const sources = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".java"))
    .map((path) => join(folder, "src", path));
  const args = ["-J-Xshare:auto", "-encoding", "UTF-8", "-d", join(folder, "target"), ...sources];
  const { status, stderr } = spawnSync("javac", args, { encoding: "utf8" });
  return status === 0 ? undefined : stderr;
}

/** Runs the main class of a compiled project. Returns its output. */
export function runMain(folder: string, mainClass: string): string {
  const args = ["-Dstdout.encoding=UTF-8", "-cp", join(folder, "target"), mainClass];
  return spawnSync("java", args, { encoding: "utf8" }).stdout;
}

/** Reads the output of `javac -version`, such as `javac 17.0.15`, and of older ones on stderr. */
function versionOf({ status, stdout, stderr }: ReturnType<typeof spawnSync>): number | undefined {
  const major = /^javac (\d+)/.exec(`${stdout}${stderr}`)?.[1];
  return status === 0 && major !== undefined ? Number(major) : undefined;
}
