import {
  AcpErrorCode,
  type AcpFileSystem,
  type AcpTerminal,
  type AcpTerminals,
  type ClientCapabilities,
  type Meta,
} from "@editwire/acp";
import { ErrorCode, isWireError, RemoteError } from "@editwire/core";
import type { AgentEditor } from "../api/editor.js";
import type { NotCarried } from "../far/far-options.js";
import type { AgentTurn } from "../api/session.js";

/** Services that an editor can lend to a far agent. */
const lendable = {
  "fs.readTextFile": ({ fs }: ClientCapabilities) => fs?.readTextFile === true,
  "fs.writeTextFile": ({ fs }: ClientCapabilities) => fs?.writeTextFile === true,
  terminal: ({ terminal }: ClientCapabilities) => terminal === true,
};
type Lendable = keyof typeof lendable;

/** The turn that a far session runs, with what it has borrowed. */
export interface LendingTurn {
  readonly turn: AgentTurn;
  /** The editor's terminals, by their ids. */
  readonly terminals: Map<string, AcpTerminal>;
}

/** A far agent's request. */
interface Asked {
  readonly sessionId: string;
  readonly _meta?: Meta | undefined;
}

/** Lends the files and terminals of the editor that prompted a turn to the far agent that runs it. */
export class FarEditor {
  readonly #turnOf: (farId: string) => LendingTurn | undefined;
  readonly #notCarried: NotCarried;
  readonly #offered = new Set<Lendable>();

  constructor(turnOf: (farId: string) => LendingTurn | undefined, notCarried: NotCarried) {
    this.#turnOf = turnOf;
    this.#notCarried = notCarried;
  }

  /** Notes what an editor offers. An agent that was started before does not learn of more. */
  connected(editor: ClientCapabilities | undefined, isOpen: boolean): void {
    for (const name of Object.keys(lendable) as Lendable[]) {
      if (editor === undefined || this.#offered.has(name) || !lendable[name](editor)) continue;
      if (isOpen) this.#notCarried.report("acp", `an editor's ${name}, as it came later: the use`);
      this.#offered.add(name);
    }
  }

  /** The services to open a client with. */
  services(): { fs?: AcpFileSystem; terminals?: AcpTerminals } {
    const [reads, writes] = [this.#offered.has("fs.readTextFile"), this.#offered.has("fs.writeTextFile")];
    const { readTextFile, writeTextFile } = this.#files();
    const fs = { ...(reads && { readTextFile }), ...(writes && { writeTextFile }) };
    return {
      ...((reads || writes) && { fs }),
      ...(this.#offered.has("terminal") && { terminals: this.#shell() }),
    };
  }

  #files(): AcpFileSystem {
    return {
      readTextFile: async (asked) => {
        const { path, line, limit } = asked;
        return {
          content: await this.#lend("fs.readTextFile", asked, (editor) => editor.readTextFile(path, { line, limit })),
        };
      },
      writeTextFile: (asked) =>
        this.#lend("fs.writeTextFile", asked, (editor) => editor.writeTextFile(asked.path, asked.content)),
    };
  }

  #shell(): AcpTerminals {
    type Params = Parameters<AcpTerminals["output"]>[0];
    const on = <T>(asked: Params, act: (terminal: AcpTerminal) => Promise<T>): Promise<T> =>
      this.#lend("terminal", asked, async (_, { terminals }) => {
        const terminal = terminals.get(asked.terminalId);
        if (terminal !== undefined) return act(terminal);
        const { terminalId } = asked;
        throw new RemoteError(AcpErrorCode.ResourceNotFound, "the terminal does not exist", { terminalId });
      });
    return {
      create: (asked) =>
        this.#lend("terminal", asked, async (editor, { terminals }) => {
          const { command, args, env = [], cwd, outputByteLimit } = asked;
          const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
          const terminal = await editor.createTerminal({ command, args, env: variables, cwd, outputByteLimit });
          terminals.set(terminal.terminalId, terminal);
          return { terminalId: terminal.terminalId };
        }),
      output: (asked) => on(asked, (terminal) => terminal.output()),
      waitForExit: (asked) => on(asked, (terminal) => terminal.waitForExit()),
      kill: (asked) => on(asked, (terminal) => terminal.kill()),
      release: (asked) => on(asked, (terminal) => terminal.release()),
    };
  }

  async #lend<T>(
    capability: Lendable,
    { sessionId, _meta }: Asked,
    ask: (editor: AgentEditor, turn: LendingTurn) => Promise<T>,
  ): Promise<T> {
    const running = this.#turnOf(sessionId);
    if (running === undefined) throw RemoteError.invalidRequest("no turn of the session runs", { sessionId });
    const { editor } = running.turn;
    if (editor === undefined) throw refused(capability);
    try {
      return await ask(_meta === undefined ? editor : editor.withMeta(_meta), running);
    } catch (error) {
      if (isWireError(error, "invalid_params") && lendable[capability](editor.capabilities) === false)
        throw refused(capability);
      if (isWireError(error, "closed")) throw RemoteError.invalidRequest("the turn is over", { sessionId });
      throw error;
    }
  }
}

function refused(capability: Lendable): RemoteError {
  const message = `the editor does not declare the capability ${capability}`;
  return new RemoteError(ErrorCode.MethodNotFound, message, { capability });
}
