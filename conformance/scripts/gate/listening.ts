import { spawn } from "node:child_process";
import { once } from "node:events";
import { firstLine } from "../../../scripts/testing/lines.js";
import type { Target } from "../../src/index.js";
import type { Judged } from "./judged.js";

/** A program that listens, and prints on a line where. */
export async function listening(
  argv: readonly string[],
  targetAt: (place: string) => Target,
): ReturnType<Judged["open"]> {
  const child = spawn(argv[0] ?? "", argv.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const place = await firstLine(child.stdout).catch(() => {
    throw new Error(`${argv.join(" ")} ended before it listened`);
  });
  return {
    target: targetAt(place),
    async close() {
      child.kill();
      await exited;
    },
  };
}
