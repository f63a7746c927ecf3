import type { Handlers, Link, Update } from "./contenders/contender.js";
import { type Corpus, readCorpus } from "./corpus.js";

/**
 * The calls that a far end answers: `echo` with its params, `flood` after it sent updates, `memory` with its own
 * memory.
 */
export const callMethods = ["_bench/echo", "_bench/flood", "_bench/memory"] as const;

/** Asks for a number of updates from a corpus, from its start and in a cycle. */
export interface FloodParams {
  readonly corpus: Corpus;
  readonly count: number;
  /** Waits for each send before the next one, which is what most programs do. Default false. */
  readonly awaited?: boolean | undefined;
}

/**
 * Number of sends that a flood keeps open when it does not await each one, so that sends that settle late hold nothing
 * up.
 */
const sendsInFlight = 64;

/** The handlers of the child process, for every contender. `memory` answers the call of that name. */
export function servingHandlers(memory: () => unknown): Handlers {
  return {
    role: "serves",
    async call(method, params, link) {
      if (method === "_bench/flood") return flood(link, params as FloodParams);
      return method === "_bench/memory" ? memory() : params;
    },
    update: () => {},
  };
}

/** The answer of a far end when it has sent its updates: the processor time that it took for them, in microseconds. */
export interface Flooded {
  readonly cpu: number;
}

async function flood(link: Link, { corpus, count, awaited = false }: FloodParams): Promise<Flooded> {
  const updates = readCorpus(corpus);
  const before = process.cpuUsage();
  await (awaited ? sendEach(link, updates, count) : sendMany(link, updates, count));
  const { user, system } = process.cpuUsage(before);
  return { cpu: user + system };
}

async function sendEach(link: Link, updates: readonly Update[], count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await link.update(updates[i % updates.length] as Update);
}

async function sendMany(link: Link, updates: readonly Update[], count: number): Promise<void> {
  let open: Promise<void>[] = [];
  for (let i = 0; i < count; i += 1) {
    const sent = link.update(updates[i % updates.length] as Update);
    if (sent === undefined || open.push(sent) < sendsInFlight) continue;
    await Promise.all(open);
    open = [];
  }
  await Promise.all(open);
}

/** A small number that depends on what a message says, to be summed up at both ends. */
export function weigh({ update }: Update): number {
  const { sessionUpdate, content, title } = update as {
    sessionUpdate: string;
    content?: { text?: string };
    title?: string;
  };
  return sessionUpdate.length + (content?.text?.length ?? 0) + (title?.length ?? 0);
}

/** The sum over the first `count` updates of a corpus. */
export function sumOf(updates: readonly Update[], count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum += weigh(updates[i % updates.length] as Update);
  return sum;
}
