import { isWireError } from "@editwire/core";
import type { Transport } from "../src/index.js";

/** A command of the near end to the far end; every command is one message. */
export type Command =
  | { do: "echo"; value: unknown }
  /** Counts it and says nothing. */
  | { do: "take"; i: number; pad?: string }
  /** Settles each `take` only in the next turn of the event loop. */
  | { do: "dawdle" }
  /** Says what was taken, whether it came in order, and by how much the process grew. */
  | { do: "report" }
  /** Says how long the text is that arrived, and how it ends. */
  | { do: "measure"; text: string }
  /** Sends `n` messages `{ i, pad }`, waiting whenever there is no room, then `{ flooded, waits, grownBy }`. */
  | { do: "flood"; n: number; size: number }
  /** Reads nothing more until released. */
  | { do: "hang" }
  /** Puts bytes on the wire that are not a message. */
  | { do: "garbage" }
  | { do: "close" };

/** A command that only a far end with a process of its own supports. */
export type ProcessCommand =
  /** Writes `text` to stderr, sends `{ last: "words" }` and exits. */
  | { do: "exit"; code: number; text?: string }
  /** Prints the text in six ways. */
  | { do: "log"; text: string }
  /** Starts a grandchild that holds the pipes, in a process group of its own if it shall escape. */
  | { do: "fork"; script: string; args: string[]; escape?: boolean }
  /** Closes stdin, then sends `{ deaf: true }`. */
  | { do: "deafen" };

/** Operations of a far end that need the help of its maker. */
export interface FarHooks {
  /** The flood waits, and not just for the next turns of the event loop, after `sent` messages. */
  blocked(sent: number): void;
  /** The flood is over. */
  flooded(): void;
  /** The transport closed, after `taken` messages of the kind `take`. */
  closed(taken: number): void;
  /** Resolves when a far end that hangs shall read on. */
  released(): Promise<void>;
  garbage(): void;
  /** Bytes of memory in use, where that is the far end's alone. */
  memory?(): number;
  command?(command: ProcessCommand): void;
}

/** Makes a transport obey commands. In this process or in another, it is the same code. */
export function serveFarEnd(transport: Transport, hooks: FarHooks): void {
  const say = (value: unknown): void | Promise<void> => transport.send(JSON.stringify(value));
  const before = hooks.memory?.() ?? 0;
  let taken = 0;
  let inOrder = true;
  let slow = false;
  const grownBy = (): number => (hooks.memory?.() ?? 0) - before;

  const flood = async (n: number, size: number): Promise<void> => {
    const pad = "x".repeat(size);
    let waits = 0;
    for (let i = 0; i < n; i += 1) {
      let room = say({ i, pad });
      if (room === undefined) continue;
      waits += 1;
      room = room.then(() => (room = undefined));
      for (let turn = 0; turn < 20 && room !== undefined; turn += 1) await new Promise(setImmediate);
      if (room !== undefined) hooks.blocked(i + 1);
      await room;
    }
    hooks.flooded();
    await say({ flooded: n, waits, grownBy: grownBy() });
  };

  const obey = (command: Command | ProcessCommand): void | Promise<void> => {
    switch (command.do) {
      case "echo":
        return void say({ echo: command.value });
      case "take":
        inOrder &&= command.i === taken;
        taken += 1;
        return slow ? new Promise(setImmediate) : undefined;
      case "dawdle":
        slow = true;
        return;
      case "report":
        return void say({ taken, inOrder, grownBy: grownBy() });
      case "measure":
        return void say({ length: command.text.length, end: command.text.slice(-4) });
      case "flood":
        return void flood(command.n, command.size).catch(() => {}); // The near end left in the middle of it.
      case "hang":
        return hooks.released();
      case "garbage":
        return hooks.garbage();
      case "close":
        return void transport.close();
      default:
        return hooks.command?.(command);
    }
  };

  transport.start({
    message: (value) => obey(value as Command | ProcessCommand),
    malformed(error) {
      try {
        void say({ malformed: error.code });
      } catch (closed) {
        if (!isWireError(closed, "closed")) throw closed; // the near end left in the middle of a message
      }
    },
    closed: () => hooks.closed(taken),
  });
}
