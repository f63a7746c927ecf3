import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { isPassedOn } from "./environment.js";

/**
 * Removes every variable that programs may not see from `process.env` and, on Linux, from the initial environment,
 * which other programs of the same user read at `/proc/PID/environ`. Overwrites the given texts, such as the value of
 * `--token`, in the command line, which every user can read at `/proc/PID/cmdline`.
 *
 * Call it after everything has been read from the environment. Returns false where the system offers no way to change
 * the initial environment: `process.env` is filtered all the same. It does not protect the memory of the process from a
 * debugger.
 */
export function hideSecrets(texts: readonly string[] = []): boolean {
  // These go first: until then, the C library reads them at the place that is overwritten below.
  for (const name of Object.keys(process.env)) if (!isPassedOn(name)) delete process.env[name];
  if (process.platform !== "linux") return false;
  try {
    const { argStart, argEnd, envStart, envEnd } = initialBlocks();
    overwrite(envStart, envEnd, eraseVariables);
    overwrite(argStart, argEnd, (block) => eraseTexts(block, texts));
    return true;
  } catch {
    return false; // a sandbox may hide /proc
  }
}

/**
 * Addresses of the initial command line and environment: the fields 48 to 51 of `/proc/self/stat`, see
 * proc_pid_stat(5).
 */
function initialBlocks(): { argStart: number; argEnd: number; envStart: number; envEnd: number } {
  const stat = readFileSync("/proc/self/stat", "latin1");
  // The second field, a name in parentheses, may contain spaces. The text after it starts with the third field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [argStart = 0, argEnd = 0, envStart = 0, envEnd = 0] = fields.slice(48 - 3, 52 - 3).map(Number);
  return { argStart, argEnd, envStart, envEnd };
}

function overwrite(start: number, end: number, change: (block: Buffer) => void): void {
  if (start === 0 || end <= start) throw new Error("the kernel does not report the address");
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const block = Buffer.alloc(end - start);
    if (readSync(memory, block, 0, block.length, start) !== block.length) throw new Error("the block is not readable");
    change(block);
    writeSync(memory, block, 0, block.length, start);
  } finally {
    closeSync(memory);
  }
}

function eraseVariables(block: Buffer): void {
  for (let start = 0; start < block.length; ) {
    const found = block.indexOf(0, start);
    const end = found === -1 ? block.length : found;
    const [name = ""] = block.toString("utf8", start, end).split("=", 1);
    if (!isPassedOn(name)) block.fill(0, start, end);
    start = end + 1;
  }
}

function eraseTexts(block: Buffer, texts: readonly string[]): void {
  for (const text of texts.map((value) => Buffer.from(value)).filter(({ length }) => length > 0)) {
    for (let at = block.indexOf(text); at !== -1; at = block.indexOf(text, at + text.length))
      block.fill("*", at, at + text.length);
  }
}
