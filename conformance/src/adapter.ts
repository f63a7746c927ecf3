import type { Readable, Writable } from "node:stream";
import type { AdapterInit } from "./wire/control.js";
import { linesOf } from "./wire/lines.js";
import { type Control, UnsupportedAction } from "./wire/link.js";

export type { AdapterInit } from "./wire/control.js";
export { UnsupportedAction } from "./wire/link.js";

/** A client, or a server that acts of its own accord, that an adapter steers. */
export interface AdapterClient extends Control {
  /** The result of `init`: a server reports where it listens, as `{url, token?}`. */
  readonly ready?: unknown;
  /** Ends the client and its agent. */
  close?(): unknown;
}

/** The actions that an adapter supports, by name; any other action is answered as unsupported. */
export type AdapterActions = Readonly<Record<string, (args: Record<string, unknown>) => unknown>>;

/** Makes an `AdapterClient` of functions. */
export function adapterClient(actions: AdapterActions, close?: () => unknown): AdapterClient {
  return {
    async do(action, args = {}) {
      const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (run === undefined) throw new UnsupportedAction(`there is no action "${action}"`);
      return run(args);
    },
    ...(close && { close }),
  };
}

/**
 * Speaks the suite's control protocol on stdin and stdout, one JSON object a line. `open` connects the client under
 * test to the suite's agent. Resolves when the suite says `shutdown` or closes its end, after the client was closed.
 */
export async function serveAdapter(
  open: (init: AdapterInit) => Promise<AdapterClient>,
  {
    input = process.stdin,
    output = process.stdout,
  }: { input?: Readable | undefined; output?: Writable | undefined } = {},
): Promise<void> {
  let client: AdapterClient | undefined;
  const answer = (id: unknown, fields: Record<string, unknown>): void =>
    void output.write(`${JSON.stringify({ id, ...fields })}\n`);
  const run = async (id: unknown, action: string, args: Record<string, unknown>): Promise<void> => {
    try {
      if (action === "init") {
        client = await open(args as unknown as AdapterInit);
        return answer(id, { ok: true, ...(client.ready !== undefined && { result: client.ready }) });
      }
      if (client === undefined) throw new Error(`expected "init" first, received "${action}"`);
      answer(id, { ok: true, result: await client.do(action, args) });
    } catch (error) {
      const unsupported = error instanceof UnsupportedAction;
      answer(id, {
        ok: false,
        error: error instanceof Error ? error.message : String(error),
        ...(unsupported && { unsupported }),
      });
    }
  };
  for await (const line of linesOf(input)) {
    if (line.trim() === "") continue;
    const command = commandIn(line);
    if (command === undefined) {
      answer(null, { ok: false, error: `expected a JSON object on each line, received ${line.slice(0, 200)}` });
      continue;
    }
    const { id, do: action, args = {} } = command;
    if (action === "shutdown") break;
    void run(id, String(action), args);
  }
  await client?.close?.();
}

function commandIn(line: string): { id?: unknown; do?: unknown; args?: Record<string, unknown> } | undefined {
  try {
    const command: unknown = JSON.parse(line);
    return typeof command === "object" && command !== null ? command : undefined;
  } catch {
    return undefined;
  }
}
