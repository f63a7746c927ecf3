import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { isObject } from "@editwire/core";
import type { Json, Refusal } from "./agent-behavior.js";

/** How a command ended. */
export interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The answer to an agent's request: a result, or a refusal. */
export type Served = { readonly result: unknown } | { readonly error: Refusal };

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const refused = (code: number, message: string): { error: Refusal } => ({ error: { code, message } });

/** The path without links, also of what is not there yet. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), path.slice(dirname(path).length));
  }
}

/** Whether a value of the right type is within the limits of its field in a form. */
function isWithin(value: unknown, { minimum, maxLength, enum: offered }: Json): boolean {
  if (typeof value === "number") return typeof minimum !== "number" || value >= minimum;
  const isShort = typeof value !== "string" || typeof maxLength !== "number" || value.length <= maxLength;
  return isShort && (!Array.isArray(offered) || offered.includes(value));
}

/** Every decision of what the reference client does for agents, as the pages of version 1 want it. */
export const rightServices = {
  /** Last chance to change what an agent gets. */
  result: (_method: string, result: unknown): unknown => result,
  /** Whether an agent may use a path, in a session with a folder. */
  isInside(path: string, root: string): boolean {
    const [inner, outer] = [realOf(resolve(path)), realOf(root)];
    return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
  },
  lines(content: string, line: unknown, limit: unknown): string {
    const all = content.split(/(?<=\n)/);
    const begin = typeof line === "number" ? line - 1 : 0;
    return all.slice(begin, typeof limit === "number" ? begin + limit : undefined).join("");
  },
  /** The answer for a file that is not there. */
  missing: (): Served => refused(-32002, "no such file"),
  writeFile: (path: string, content: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  },
  /** The settings with which a command is started. */
  launch: ({ args, env, cwd }: Json, root: string): { args: string[]; env: Record<string, string>; cwd: string } => ({
    args: Array.isArray(args) ? args.map(text) : [],
    env: Object.fromEntries(
      (Array.isArray(env) ? env.filter(isObject) : []).map(({ name, value }) => [text(name), text(value)]),
    ),
    cwd: typeof cwd === "string" ? cwd : root,
  }),
  /** The id of the n-th terminal. */
  terminalId: (count: number): string => `terminal-${count}`,
  /** The client waits for this before it returns the id of a terminal. */
  created: (_exit: Promise<ExitStatus>): Promise<unknown> | undefined => undefined,
  /** Whether what a command writes as errors is output, too. */
  takesErrors: true,
  /** The output so far, as the client reports it. */
  outputSoFar: (output: Buffer, _status: ExitStatus | undefined): Buffer => output,
  /** The part of the output that the client keeps. */
  kept(output: Buffer, limit: unknown): Buffer {
    if (typeof limit !== "number" || output.length <= limit) return output;
    let begin = output.length - limit;
    // The bytes of a character but its first have the form 10xxxxxx.
    while (begin < output.length && ((output[begin] ?? 0) & 0xc0) === 0x80) begin += 1;
    return output.subarray(begin);
  },
  truncated: (all: Buffer, kept: Buffer): boolean => kept.length < all.length,
  /** The exit status that comes with the output. */
  exitStatus: (status: ExitStatus | undefined): Json => (status === undefined ? {} : { exitStatus: status }),
  waitForExit: (exit: Promise<ExitStatus>): Promise<unknown> => exit,
  kill: (child: ChildProcess): void => void child.kill(),
  /** Whether a killed command's terminal is released at once. */
  killReleases: false,
  release: (child: ChildProcess): void => void child.kill("SIGKILL"),
  /** Whether the id of a released terminal is forgotten. */
  forgets: true,
  isWithin,
  /** The answer to a form, by what the user does. */
  elicited(params: Json, { action, content }: Json, within = isWithin): unknown {
    if (action !== "accept") return { action };
    const { properties, required } = isObject(params["requestedSchema"]) ? params["requestedSchema"] : {};
    const types = isObject(properties) ? properties : {};
    const given = isObject(content) ? content : {};
    const fits = Object.entries(given).every(([name, value]) => {
      const wanted = isObject(types[name]) ? types[name] : {};
      const isTyped = wanted["type"] === typeof value || (wanted["type"] === "integer" && Number.isInteger(value));
      return isTyped && within(value, wanted);
    });
    const isWhole = (Array.isArray(required) ? required : []).every((name) => String(name) in given);
    return fits && isWhole ? { action, content } : { action: "cancel" };
  },
};

/** The switches of the client's services. */
export type ClientServicesBehavior = typeof rightServices;

interface Terminal {
  readonly child: ChildProcess;
  readonly limit: unknown;
  readonly exit: Promise<ExitStatus>;
  output: Buffer;
  status: ExitStatus | undefined;
}

/** The files and terminals of a reference client, with some of its switches replaced. */
export class ReferenceServices {
  readonly #behavior: ClientServicesBehavior;
  readonly #terminals = new Map<string, Terminal>();
  #count = 0;

  constructor(behavior: ClientServicesBehavior) {
    this.#behavior = behavior;
  }

  /** Serves a request of an agent, in a session with this folder. */
  async serve(method: string, params: Json, root: string, user: Json): Promise<Served> {
    if (method === "elicitation/create")
      return { result: this.#behavior.elicited(params, user, this.#behavior.isWithin) };
    return method.startsWith("fs/") ? this.#file(method, params, root) : this.#terminal(method, params, root);
  }

  /** Ends every command. */
  end(): void {
    for (const { child } of this.#terminals.values()) child.kill("SIGKILL");
    this.#terminals.clear();
  }

  #file(method: string, params: Json, root: string): Served {
    const behavior = this.#behavior;
    const path = text(params["path"]);
    if (!isAbsolute(path)) return refused(-32602, "path must be absolute");
    if (!behavior.isInside(path, root)) return refused(-32602, "the path is outside of the session");
    if (method === "fs/write_text_file") {
      behavior.writeFile(path, text(params["content"]));
      return { result: {} };
    }
    try {
      return { result: { content: behavior.lines(readFileSync(path, "utf8"), params["line"], params["limit"]) } };
    } catch {
      return behavior.missing();
    }
  }

  async #terminal(method: string, params: Json, root: string): Promise<Served> {
    const behavior = this.#behavior;
    if (method === "terminal/create") return { result: { terminalId: await this.#create(params, root) } };
    const id = text(params["terminalId"]);
    const found = this.#terminals.get(id);
    if (found === undefined) return refused(-32002, "no such terminal");
    const { child, exit, limit, output, status } = found;
    if (method === "terminal/wait_for_exit") return { result: await behavior.waitForExit(exit) };
    if (method === "terminal/output") {
      const all = behavior.outputSoFar(output, status);
      const kept = behavior.kept(all, limit);
      const truncated = behavior.truncated(all, kept);
      return { result: { output: kept.toString("utf8"), truncated, ...behavior.exitStatus(status) } };
    }
    if (method === "terminal/kill") behavior.kill(child);
    else behavior.release(child);
    if (method === "terminal/kill" ? behavior.killReleases : behavior.forgets) this.#terminals.delete(id);
    return { result: {} };
  }

  async #create(params: Json, root: string): Promise<string> {
    const behavior = this.#behavior;
    const { args, env, cwd } = behavior.launch(params, root);
    const child = spawn(text(params["command"]), args, { cwd, env: { ...process.env, ...env } });
    const exit = new Promise<ExitStatus>((settle) => {
      child.once("error", () => settle({ exitCode: 127, signal: null }));
      child.once("close", (exitCode, signal) => settle({ exitCode, signal }));
    });
    const terminal: Terminal = {
      child,
      limit: params["outputByteLimit"],
      exit,
      output: Buffer.alloc(0),
      status: undefined,
    };
    for (const stream of behavior.takesErrors ? [child.stdout, child.stderr] : [child.stdout])
      stream.on("data", (bytes: Buffer) => (terminal.output = Buffer.concat([terminal.output, bytes])));
    void exit.then((status) => (terminal.status = status));
    const id = behavior.terminalId(++this.#count);
    this.#terminals.set(id, terminal);
    await behavior.created(exit);
    return id;
  }
}

/** The decisions with which the reference client speaks the official dialect and offers all of its services. */
export const v1Client = {
  initializeParams: () => ({
    protocolVersion: 1,
    clientInfo: { name: "conformance-reference", version: "1.0.0" },
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {} },
      auth: { terminal: true },
    },
  }),
  serves: (method: string): boolean => /^(fs|terminal)\/|^elicitation\/create$/.test(method),
};
