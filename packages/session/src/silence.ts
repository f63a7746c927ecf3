import { startTimer } from "@editwire/core/timers";
import type { Program } from "@editwire/transport";
import { quoted } from "./quoted.js";

/** Seconds after which a peer that has not answered is reported. */
const slowSeconds = 5;
/** Programs that install the one that they start, which may take longer. */
const installers = /^(npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx)(\.\w+)?$/i;

/** A peer's name, for messages. */
export const nameOf = (program: Program | undefined): string => program?.name ?? "the peer";

/** Calls `report` after five seconds, unless the returned function is called first. */
export function whenSilent(
  method: string,
  program: Program | undefined,
  report: (message: string) => void,
): () => void {
  const name = nameOf(program);
  const why = installers.test(name) ? "; it may still be installing the program" : "";
  return startTimer(slowSeconds * 1_000, () =>
    report(`${name} has not answered ${method} for ${slowSeconds} seconds${why}`),
  );
}

/** What a program has written, each part behind a semicolon. `noise` stands for its stdout where that is known. */
export function writtenBy({ stdout, stderr }: Program = nothing, noise?: string): string {
  const written = noise ?? (stdout && `it wrote ${quoted(stdout)}`);
  const told = stderr && `it wrote to stderr: ${quoted(stderr)}`;
  return [written, told].map((each) => each && `; ${each}`).join("");
}

const nothing: Program = { name: "", stdout: "", stderr: "" };
