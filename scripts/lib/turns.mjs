// Ten landings in a row take ten turns, and each thing that CI does not prove every time has one of them.
import { createHash } from "node:crypto";
import { run } from "./run.mjs";
import { root } from "./workspace.mjs";

export const TURNS = 10;

/**
 * The turn of a name, from 0. It depends on nothing else, so that no other name can put it off. "later " is a prefix
 * with which the names of 2026 give each turn about the same work.
 */
export function turnOf(name) {
  return createHash("sha256").update(`later ${name}`).digest().readUInt32BE() % TURNS;
}

/**
 * The turns of the commits after `since`, by default of the last one, and how they were chosen. Commits are counted on
 * the first-parent line, where a landing is one. Without that history, the commit's hash chooses.
 */
export async function turnsOf(since = "HEAD~1") {
  const git = async (...args) => {
    const { code, output } = await run("git", args, { cwd: root });
    return code === 0 ? output : undefined;
  };
  const isWhole = (await git("rev-parse", "--is-shallow-repository")) === "false";
  const [count, before] = await Promise.all(
    ["HEAD", since].map((commit) => git("rev-list", "--count", "--first-parent", commit)),
  );
  if (!isWhole || count === undefined) {
    const head = await git("rev-parse", "HEAD");
    const turn = turnOf(head ?? "");
    return {
      turns: [turn],
      reason: head === undefined ? "there is no commit" : `the hash of ${head.slice(0, 8)} chose it`,
    };
  }
  const last = Number(count);
  const first = Math.max(Math.min(Number(before ?? 0) + 1, last), last - TURNS + 1);
  const turns = Array.from({ length: last - first + 1 }, (_, index) => (first + index) % TURNS);
  return { turns, reason: first === last ? `commit ${last}` : `commits ${first} to ${last}` };
}
