import { pause } from "../../../core/talk/time.js";
import type { AgentBehavior, AgentMessage, AgentTurn, Json } from "./agent-behavior.js";

/** The operations of a turn. */
export interface TurnTools {
  readonly behavior: AgentBehavior;
  readonly turn: AgentTurn;
  /** The user's earlier messages in the thread. */
  readonly past: readonly string[];
  say(events: readonly Json[]): void;
}

interface Script {
  /** Adds to the last message, or begins one. */
  append(text: string): void;
  begin(): void;
  readonly signal: AbortSignal;
  /** The user's earlier messages in the thread. */
  readonly past: readonly string[];
}

type Behave = (script: Script, args: Json) => void | Promise<void>;

const names = ["first", "second", "third", "fourth", "fifth"];

const scripts: Readonly<Record<string, Behave>> = {
  text: ({ append }, { text = "ok" }) => append(String(text)),
  async chunks({ append, signal }, { count = 5 }) {
    for (let n = 1; n <= Number(count) && !signal.aborted; n++) {
      append(n === 1 ? "1" : ` ${n}`);
      await pause(0, signal);
    }
  },
  recall: ({ append, past }) => append(past.join("\n")),
  messages({ append, begin }, { count = 2 }) {
    for (let n = 0; n < Number(count); n++) {
      begin();
      append(names[n] ?? `number ${n + 1}`);
    }
  },
  async slow({ append, signal }, { ms = 20_000 }) {
    append("working");
    await pause(Number(ms), signal);
  },
  empty() {},
  error() {
    throw new Error("as it was told");
  },
};

/** Runs one turn to its end, except for its last messages. False when it failed. */
export async function takeTurn({ behavior, turn, past, say }: TurnTools): Promise<boolean> {
  const { text, messages, abort } = turn;
  const [, name = "", args = ""] = /^\s*conf:([a-z-]+)\s*(\{.*\})?\s*$/s.exec(text) ?? [];
  const show = (message: AgentMessage): void => {
    message.shown = message.content;
    say(behavior.added(turn, message));
  };
  const script: Script = {
    signal: abort.signal,
    past,
    append(more) {
      const message = messages.at(-1) ?? begin(turn, behavior);
      message.content += more;
      if (behavior.showsAtOnce(name)) show(message);
    },
    begin: () => void begin(turn, behavior),
  };
  // A turn takes at least a tick, so that what was sent right behind the message is read before it ends.
  await pause(1, abort.signal);
  try {
    const behave = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    if (behave === undefined) script.append(text === "" ? "ok" : `You said: ${text}`);
    else await behave(script, args === "" ? {} : (JSON.parse(args) as Json));
  } catch {
    return false;
  }
  for (const message of messages) if (message.shown !== message.content) show(message);
  return true;
}

function begin(turn: AgentTurn, behavior: AgentBehavior): AgentMessage {
  const message: AgentMessage = { id: behavior.messageId(turn, turn.messages.length), content: "", shown: undefined };
  turn.messages.push(message);
  return message;
}
