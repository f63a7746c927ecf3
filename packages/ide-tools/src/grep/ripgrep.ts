import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import { ndjson } from "@editwire/framing";
import { type Engine, type Hit, patternError, type SearchRequest, type TakeHit } from "./engine.js";

/** Characters of ripgrep's error messages that are kept. */
const maxErrorChars = 2000;

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

/** Searches with a ripgrep program. */
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
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(0, maxErrorChars)));
    // It may end before it has read everything.
    child.stdin.on("error", () => {}).end(request.text ?? "");
    try {
      const isBegun = await readHits(child.stdout, take);
      stop();
      await closed;
      signal.throwIfAborted();
      if (!isBegun) throw patternError(errors.trim());
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  };
}

function argumentsOf({ pattern, isRegex, isCaseSensitive, text, extensions, maxFileBytes }: SearchRequest): string[] {
  return [
    ...["--json", "--no-config", "--no-messages", "--hidden", "--max-filesize", `${maxFileBytes}`],
    // The same rules as those of `walk`: each .gitignore in the folder and no others, even without a repository.
    ...["--no-require-git", "--no-ignore-dot", "--no-ignore-exclude", "--no-ignore-global", "--no-ignore-parent"],
    ...["--glob", "!.git", "--glob", "!node_modules"],
    ...(extensions ?? []).flatMap((extension) => ["--type-add", `wanted:*.${extension}`]),
    ...(extensions === undefined ? [] : ["--type", "wanted"]),
    isCaseSensitive ? "--case-sensitive" : "--ignore-case",
    isRegex ? "--crlf" : "--fixed-strings", // only a regular expression can ask for the end of a line
    ...["--regexp", pattern, "--", text === undefined ? "./" : "-"],
  ];
}

/** Reads ripgrep's JSON lines. Gives false when the search never began, as for a pattern that it cannot read. */
async function readHits(stdout: Readable, take: TakeHit): Promise<boolean> {
  const framer = ndjson().open();
  let isBegun = false;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    framer.push(chunk);
    for (let frame = framer.next(); frame !== undefined; frame = framer.next()) {
      isBegun = true;
      if (!frame.ok) continue; // a line above the limit of the framing
      const message = frame.value as Message;
      if (message.type === "match" && !take(hitOf(message.data))) return isBegun;
    }
  }
  return isBegun;
}

/** Text, or what is not UTF-8 in base64. */
interface Data {
  readonly text?: string;
  readonly bytes?: string;
}

interface Match {
  readonly path: Data;
  readonly lines: Data;
  readonly line_number: number;
}

type Message = { readonly type: "begin" | "end" | "summary" } | { readonly type: "match"; readonly data: Match };

function hitOf({ path, lines, line_number: line }: Match): Hit {
  return { path: pathOf(path), line, text: textOf(lines) };
}

function pathOf({ text = "" }: Data): string {
  return text === "<stdin>" ? "" : text.replaceAll("\\", "/").replace(/^\.\//, "");
}

function textOf({ text, bytes = "" }: Data): string | Uint8Array {
  if (text !== undefined) return text.replace(/\r?\n$/, "");
  const line = Buffer.from(bytes, "base64");
  const end = line.at(-1) === 0x0a ? (line.at(-2) === 0x0d ? -2 : -1) : line.length;
  return line.subarray(0, end);
}
