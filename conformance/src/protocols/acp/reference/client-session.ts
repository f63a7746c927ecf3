import { isObject } from "@editwire/core";
import type { Json } from "./agent-behavior.js";
import type { ClientBehavior, When } from "./client-behavior.js";

/** A permission request that waits for the user. */
export interface Held {
  readonly id: unknown;
  readonly params: Json;
}

/** The reference client's state of a session. */
export class ClientSession {
  /** Whether a turn runs, and whether it was canceled. */
  turn: "none" | "running" | "cancelled" = "none";
  readonly held: Held[] = [];
  /** Resolves when the turn is over. */
  over: Promise<void> = Promise.resolve();
  #finish: () => void = () => {};
  modes: Json = {};
  /** Whether the agent has answered that it is open. */
  #isOpen = false;
  /** The folder that it works in. */
  readonly cwd: string;
  #text = "";
  #modeId: unknown;
  readonly #toolCalls = new Map<unknown, { status: unknown; text: string }>();
  #plan: readonly unknown[] = [];

  readonly #behavior: ClientBehavior;

  constructor(
    readonly id: string,
    cwd: unknown,
    behavior: ClientBehavior,
  ) {
    this.#behavior = behavior;
    this.cwd = typeof cwd === "string" ? cwd : "";
  }

  /** Takes what the agent answered when it opened the session. */
  opened({ modes }: Json): void {
    this.#isOpen = true;
    this.modes = isObject(modes) ? modes : {};
    this.#modeId = this.#behavior.firstModeOf(this.modes);
  }

  begin(): void {
    this.turn = "running";
    this.over = new Promise((resolve) => (this.#finish = resolve));
  }

  end(): void {
    this.turn = "none";
    this.#finish();
  }

  get when(): When {
    if (!this.#isOpen) return "unknown";
    return ({ none: "idle", running: "turn", cancelled: "cancelled" } as const)[this.turn];
  }

  /** Takes an update in. */
  take(update: Json): void {
    const { content, toolCallId } = update;
    switch (update["sessionUpdate"]) {
      case "agent_message_chunk":
        if (isObject(content)) this.#text += this.#behavior.textOf(content);
        return;
      case "tool_call":
      case "tool_call_update": {
        const before = this.#toolCalls.get(toolCallId) ?? { status: "pending", text: "" };
        const output = Array.isArray(content)
          ? content
              .filter(isObject)
              .map((item, place) => this.#behavior.toolTextOf(item, place))
              .join("")
          : undefined;
        this.#toolCalls.set(toolCallId, {
          status: this.#behavior.toolStatusOf(before.status, update),
          text: this.#behavior.toolOutputOf(before.text, output),
        });
        return;
      }
      case "plan":
        if (Array.isArray(update["entries"])) this.#plan = this.#behavior.planOf(this.#plan, update["entries"]);
        return;
      case "current_mode_update":
        this.#modeId = this.#behavior.modeOf(update);
    }
  }

  /** The session as a user would see it. */
  report(): Json {
    const toolCalls = [...this.#toolCalls].map(([toolCallId, call]) => ({ toolCallId, ...call }));
    return { text: this.#text, modeId: this.#modeId, toolCalls, plan: this.#plan };
  }
}
