import type { CallOptions } from "@editwire/core";
import { startTimer } from "@editwire/core/timers";
import type { Program } from "@editwire/transport";

/** Seconds after which a peer that has not answered is reported. */
const slowSeconds = 5;
/** Programs that may install the one that they start. */
const installers = /^(npx|npm|pnpm|pnpx|yarn|bunx?|uvx?|pipx|docker|podman)(\.\w+)?$/i;
/** Milliseconds for an installation and the first answer. */
const installMs = 600_000;

/** A peer's name, for messages. */
export const nameOf = (program: Program | undefined): string => program?.name ?? "the peer";

const mayInstall = (program: Program | undefined): boolean => installers.test(nameOf(program));

/** The options of the first call. A program that may be installed first has ten minutes to answer, or more. */
export function firstCall(program: Program | undefined, options: CallOptions = {}): CallOptions {
  const { timeoutMs } = options;
  if (timeoutMs === undefined || !mayInstall(program)) return options;
  return { ...options, timeoutMs: Math.max(timeoutMs, installMs) };
}

/** Calls `report` after five seconds, unless the returned function is called first. */
export function whenSilent(
  method: string,
  program: Program | undefined,
  report: (message: string) => void,
): () => void {
  const why = mayInstall(program) ? "; it may still be installing the program" : "";
  return startTimer(slowSeconds * 1_000, () =>
    report(`${nameOf(program)} has not answered ${method} for ${slowSeconds} seconds${why}`),
  );
}

/** The output of a program, each part behind a semicolon. `noise` stands for its stdout where that is known. */
export function writtenBy({ stdout, stderr }: Pick<Program, "stdout" | "stderr"> = nothing, noise?: string): string {
  const written = noise ?? (stdout && `it wrote ${quoted(stdout)}`);
  const told = stderr && `it wrote to stderr: ${quoted(stderr)}`;
  return [written, told].map((each) => each && `; ${each}`).join("");
}

const nothing = { stdout: "", stderr: "" };

/** A hint for a program that may speak the protocol only with one of these flags. Empty when it was given one. */
export function flagHint(program: Program | undefined, protocol: string, flags: readonly string[]): string {
  if (program === undefined || namesAny(program, flags)) return "";
  return `; it may need ${flags.map((flag) => JSON.stringify(flag)).join(" or ")} to speak ${protocol}`;
}

/** True for a program whose command line has one of these flags, or names it. */
export function namesAny({ argv }: Program, flags: readonly string[]): boolean {
  return flags.some((flag) => argv.some((word) => names(word, flag)));
}

/** True for a word whose file name has the flag as a part: `--acp`, `codex-acp` and `/bin/acp.js` name `acp`. */
function names(word: string, flag: string): boolean {
  const parts = (word.split(/[\\/]/).at(-1) ?? "").toLowerCase().split(/[^a-z]+/);
  return parts.includes(flag.replace(/^-+/, ""));
}

/** Characters of a program's text that a message quotes. */
const maxChars = 200;
/** A name such as `api_key` or `Bearer` with its value, and long words with digits, such as tokens. */
const secrets = /((?:key|token|secret|password|bearer)["']?[\s:=]+["']?)[^\s"',;]+|\b(?=[\w+=-]*\d)[\w+=-]{24,}/gi;

/** The last characters of what a program wrote, on one line, without what may be a secret. */
export function quoted(text: string): string {
  const line = text.replace(secrets, "$1***").replace(/\s+/g, " ").trim();
  return JSON.stringify(line.length > maxChars ? `…${line.slice(-maxChars)}` : line);
}
