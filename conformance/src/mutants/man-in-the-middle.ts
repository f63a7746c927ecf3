import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import spawn from "cross-spawn";
import { isObject } from "@editwire/core";
import { FrameCutter } from "../wire/framing.js";
import { Changes, type OnChange } from "./changes.js";
import type { Rewriter } from "./rewriter.js";

/** The two ends of a man in the middle, and the end that it breaks. */
export interface MiddleOptions {
  /** The program that answers on its stdin and stdout. */
  readonly argv: readonly string[];
  /** Whose messages are rewritten: those of the program, or of its peer. */
  readonly breaks: "program" | "peer";
  readonly rewriter: Rewriter;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly onChange?: OnChange | undefined;
}

/** The result of a man in the middle. */
export interface MiddleResult {
  /** The exit code of the program; 128 and more for a signal. */
  readonly code: number;
  /** Messages that were read from the side that is broken. */
  readonly messages: number;
  /** How many of them were changed. */
  readonly changed: number;
}

/**
 * Starts a program and stands between it and its peer. One side's messages are rewritten; those of the other side are
 * forwarded unchanged. Resolves when the program has ended. Rejects when it cannot be started.
 */
export function standBetween({
  argv,
  breaks,
  rewriter,
  stdin,
  stdout,
  onChange,
}: MiddleOptions): Promise<MiddleResult> {
  const [command = "", ...args] = argv;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const { stdin: to, stdout: from } = child;
  if (to === null || from === null) throw new Error("the program has no stdin or stdout");
  const changes = new Changes(onChange);
  const program = { from, to };
  to.on("error", () => {});
  const [bad, good] =
    breaks === "program"
      ? [
          { from: program.from, to: stdout },
          { from: stdin, to: program.to },
        ]
      : [
          { from: stdin, to: program.to },
          { from: program.from, to: stdout },
        ];
  rewriteAll(bad.from, bad.to, rewriter, changes);
  passAll(good.from, good.to, rewriter);
  stdin.once("end", () => to.end());
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      stopForwarding();
      stdin.destroy();
      resolve({ messages: changes.messages, changed: changes.changed, code: exitCodeOf(code, signal) });
    });
  });
}

/** Passes the signals that end this process to another one, which decides what they mean. Gives what stops it. */
export function forwardSignals(child: Pick<ChildProcess, "kill">): () => void {
  const names = ["SIGINT", "SIGTERM"] as const;
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const name of names) process.on(name, forward);
  return () => {
    for (const name of names) process.off(name, forward);
  };
}

/** The exit code of a program as a shell has it: 128 and more for a signal. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Reads messages, and writes what a mutant makes of them, in the framing in which they came. Noise is left out. */
function rewriteAll(from: Readable, to: Writable, { rewrite, write }: Rewriter, changes: Changes): void {
  const cutter = new FrameCutter();
  from.on("data", (chunk: Buffer) => {
    for (const cut of cutter.push(chunk)) {
      if (!cut.ok || !isObject(cut.message)) continue;
      const framing = cut.frame.framing === "header" ? "header" : "line";
      const before = JSON.stringify(cut.message);
      const after = rewrite(cut.message);
      const bytes: Uint8Array[] = [];
      for (const message of after) write(message, framing, (piece) => bytes.push(piece));
      const written = after.map((message) => JSON.stringify(message));
      const isSame = written.length === 1 && written[0] === before;
      const isWritten = isPlain(bytes, before, framing);
      // Where the message is the same, its bytes are not.
      const put = isSame ? [JSON.stringify(Buffer.concat(bytes).toString("utf8"))] : written;
      changes.take(before, put, !isSame || !isWritten);
      for (const piece of bytes) to.write(piece);
    }
  });
}

/** Whether the bytes are what a program writes that is not broken. */
function isPlain(bytes: readonly Uint8Array[], message: string, framing: "line" | "header"): boolean {
  const text = Buffer.concat(bytes).toString("utf8");
  const header = `Content-Length: ${Buffer.byteLength(message)}\r\n\r\n`;
  return bytes.length === 1 && text === (framing === "line" ? `${message}\n` : `${header}${message}`);
}

/** Passes bytes through, and tells the mutant which requests there were. */
function passAll(from: Readable, to: Writable, { received }: Rewriter): void {
  const cutter = new FrameCutter();
  from.on("data", (chunk: Buffer) => {
    // Read first: the answer may come before the write has returned.
    for (const cut of cutter.push(chunk)) if (cut.ok) received(cut.message);
    to.write(chunk);
  });
}
