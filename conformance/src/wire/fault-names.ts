import { UsageError } from "../core/errors.js";
import type { Envelope } from "../core/talk/message.js";
import { randomOf } from "../core/run/seed.js";
import type { Fault, FaultStep } from "./faults.js";

interface FaultKind {
  /** For `--help` and for `list`. */
  readonly does: string;
  /** `true`: a correct target behaves as if nothing were wrong, so any case may run with it. */
  readonly transparent: boolean;
  readonly on: Fault["on"];
  make(argument: string | undefined, { random, stranger }: FaultSetting): Pick<Fault, "apply" | "flush">;
}

interface FaultSetting {
  readonly random: () => number;
  /** A well-formed message that no peer knows, with this text in it. */
  readonly stranger: (text: string) => string;
}

const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");

/** Pieces that are written at once are mostly read as one, so the next one comes this many milliseconds later. */
const APART_MS = 10;
/** The maximal number of cuts inside characters on one connection: a long text would take too long. */
const MOST_APART = 12;
/** Whether a byte stands inside a character of UTF-8. */
const continues = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Every fault by name. An argument follows a colon: `split:1`. */
const faultKinds: Readonly<Record<string, FaultKind>> = {
  split: {
    does: "writes pieces of n bytes (1), of seeded sizes (seeded), or cut inside characters (characters)",
    transparent: true,
    on: "pieces",
    make(argument = "1", { random }) {
      if (argument === "characters") return { apply: insideCharacters() };
      const size = argument === "seeded" ? undefined : positive(argument);
      return {
        apply(chunk) {
          const steps: FaultStep[] = [];
          for (let at = 0; at < chunk.length; ) {
            const next = at + (size ?? 1 + Math.floor(random() * 40));
            steps.push(chunk.subarray(at, next), 0);
            at = next;
          }
          return steps;
        },
      };
    },
  },
  coalesce: {
    does: "joins up to n messages into one write (4)",
    transparent: true,
    on: "stream",
    make(argument = "4") {
      let held: Uint8Array[] = [];
      const flush = (): Uint8Array[] => {
        const joined = Buffer.concat(held);
        held = [];
        return joined.length === 0 ? [] : [joined];
      };
      return { apply: (chunk) => (held.push(chunk) < positive(argument) ? [] : flush()), flush };
    },
  },
  slow: {
    does: "waits n milliseconds before every write (2)",
    transparent: true,
    on: "pieces",
    make: (argument = "2") => ({ apply: (chunk) => [positive(argument), chunk] }),
  },
  crlf: {
    does: "ends lines with CR LF",
    transparent: true,
    on: "stream",
    make: () => ({
      apply: (chunk) =>
        chunk.at(-1) === 10 && chunk.at(-2) !== 13 ? [Buffer.concat([chunk.subarray(0, -1), bytes("\r\n")])] : [chunk],
    }),
  },
  noise: {
    does: "writes a line that is not JSON before every message",
    transparent: false,
    on: "messages",
    make: () => before(() => bytes("this is not a message\n")),
  },
  "invalid-utf8": {
    does: "writes a line that is not UTF-8 before every message",
    transparent: false,
    on: "messages",
    make(_argument, { stranger }) {
      const [head = "", tail = ""] = stranger("|").split("|");
      return before(() => Buffer.concat([bytes(head), Buffer.from([0xff, 0xc3, 0x28]), bytes(`${tail}\n`)]));
    },
  },
  huge: {
    does: "writes an unknown notification of n KiB before every message (1024)",
    transparent: false,
    on: "messages",
    make: (argument = "1024", { stranger }) =>
      before(() => bytes(`${stranger("x".repeat(positive(argument) * 1024))}\n`)),
  },
  cut: {
    does: "ends the stream after n bytes",
    transparent: false,
    on: "pieces",
    make: (argument = "100") => upTo(argument, ["end"]),
  },
  stall: {
    does: "writes nothing more after n bytes, and keeps the stream open",
    transparent: false,
    on: "pieces",
    make: (argument = "100") => upTo(argument, []),
  },
};

/** Cuts before each byte that stands inside a character. */
function insideCharacters(): Fault["apply"] {
  let cuts = 0;
  return (chunk) => {
    const steps: FaultStep[] = [];
    let from = 0;
    for (const [at, byte] of chunk.entries()) {
      if (!continues(byte) || cuts++ >= MOST_APART) continue;
      steps.push(chunk.subarray(from, at), APART_MS);
      from = at;
    }
    return [...steps, chunk.subarray(from)];
  };
}

/**
 * Makes faults from their names, such as `split:1`, for one connection of a protocol. Throws a `UsageError` for an
 * unknown fault.
 */
export function openFaults(
  names: readonly string[],
  seed: number,
  { notification }: Pick<Envelope, "notification">,
): Fault[] {
  const stranger = (text: string): string => JSON.stringify(notification("_conformance/stranger", { text }));
  return names.map((name) => {
    const [kind = "", argument] = name.split(":");
    const found = Object.hasOwn(faultKinds, kind) ? faultKinds[kind] : undefined;
    if (found === undefined)
      throw new UsageError(`unknown fault "${kind}"; the faults are ${Object.keys(faultKinds).join(", ")}`);
    return { name, on: found.on, ...found.make(argument, { random: randomOf(seed, name), stranger }) };
  });
}

/** Lets n bytes through, and writes something else behind them. */
function upTo(argument: string, behind: readonly "end"[]): Pick<Fault, "apply"> {
  let left = positive(argument);
  return {
    apply(chunk) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      return left > 0 ? [part] : [part, ...behind];
    },
  };
}

function before(extra: () => Uint8Array): Pick<Fault, "apply"> {
  return { apply: (chunk) => [extra(), chunk] };
}

function positive(argument: string): number {
  const value = Number(argument);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`expected a positive number as the argument of the fault, received "${argument}"`);
  return value;
}
