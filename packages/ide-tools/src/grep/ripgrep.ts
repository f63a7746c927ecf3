import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import { isSystemError, systemError } from "../errors.js";
import { type Engine, type Hit, maxLineBytes, patternError, type SearchRequest, type TakeHit } from "./engine.js";

/** Characters of ripgrep's error messages that are kept. */
const maxErrorChars = 2000;
/** Bytes of one line of ripgrep's output: a path, a number, and a line of `maxLineBytes`. */
const maxOutputBytes = 64 * 1024;

/** The program of the optional dependency `@vscode/ripgrep`; `undefined` where it is not installed. */
export function ripgrepPath(): string | undefined {
  try {
    const ours = createRequire(import.meta.url);
    const theirs = createRequire(ours.resolve("@vscode/ripgrep"));
    const program = process.platform === "win32" ? "rg.exe" : "rg";
    return theirs.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`);
  } catch {
    return undefined;
  }
}

/** Searches with a ripgrep program. It opens each `.gitignore` of the project, whatever that is. */
export function ripgrepEngine(program: string): Engine {
  return async (request, take, signal) => {
    signal.throwIfAborted();
    const child = spawn(program, argumentsOf(request), {
      cwd: request.root,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const stop = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", stop);
    const closed = once(child, "close");
    closed.catch(() => {}); // thrown where it is awaited
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(0, maxErrorChars)));
    // It may end before it has read everything.
    child.stdin.on("error", () => {}).end(request.text ?? "");
    try {
      await readHits(child.stdout, take);
      stop();
      const [exitCode] = await closed;
      signal.throwIfAborted();
      if (exitCode === 2) throw patternError(errors.trim());
    } catch (error) {
      throw isSystemError(error) ? systemError(error, "ripgrep", "open") : error;
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  };
}

function argumentsOf(request: SearchRequest): string[] {
  const { pattern, isRegex, isCaseSensitive, text, extensions, maxFileBytes, maxHits } = request;
  return [
    ...["--no-config", "--no-messages", "--hidden", "--max-filesize", `${maxFileBytes}`],
    // For each match a line of bounded length: the path, a null character, the number, a colon and the text.
    ...["--color", "never", "--no-heading", "--with-filename", "--null", "--line-number"],
    ...["--max-columns", `${maxLineBytes}`, "--max-count", `${maxHits}`],
    // The same rules as those of `walk`: each .gitignore in the folder and no others, even without a repository.
    ...["--no-require-git", "--no-ignore-dot", "--no-ignore-exclude", "--no-ignore-global", "--no-ignore-parent"],
    ...["--glob", "!.git", "--glob", "!node_modules"],
    ...(extensions ?? []).flatMap((extension) => ["--type-add", `wanted:*.${extension}`]),
    ...(extensions === undefined ? [] : ["--type", "wanted"]),
    isCaseSensitive ? "--case-sensitive" : "--ignore-case",
    isRegex ? "--crlf" : "--fixed-strings", // only a regular expression can ask for the end of a line
    ...(text === undefined ? [] : ["--text"]),
    ...["--regexp", pattern, "--", text === undefined ? "./" : "-"],
  ];
}

/** Reads ripgrep's output line by line. A line that is no match, such as a warning, is passed over. */
async function readHits(stdout: Readable, take: TakeHit): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", start)) {
      const hit = hitOf(Buffer.concat([rest, chunk.subarray(start, end)]));
      rest = Buffer.alloc(0);
      start = end + 1;
      if (hit !== undefined && !take(hit)) return;
    }
    rest = Buffer.concat([rest, chunk.subarray(start)]).subarray(0, maxOutputBytes);
  }
}

function hitOf(line: Buffer): Hit | undefined {
  const pathEnd = line.indexOf(0);
  const numberEnd = line.indexOf(":", pathEnd);
  const number = Number(line.toString("latin1", pathEnd + 1, numberEnd));
  if (pathEnd === -1 || numberEnd === -1 || !Number.isInteger(number)) return undefined;
  const path = line.toString("utf8", 0, pathEnd).replaceAll("\\", "/").replace(/^\.\//, "");
  const bytes = line.subarray(numberEnd + 1);
  const isLong = bytes.equals(omitted) || bytes.equals(omittedWithReturn);
  return { path: path === "<stdin>" ? "" : path, line: number, ...(isLong ? { isLong } : { bytes }) };
}

/** The text that ripgrep shows in place of a long line. */
const omitted = Buffer.from("[Omitted long matching line]");
const omittedWithReturn = Buffer.concat([omitted, Buffer.from("\r")]); // with --crlf
