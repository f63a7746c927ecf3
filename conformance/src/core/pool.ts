import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";
import type { Connection } from "./connection.js";
import { CaseEnd } from "./errors.js";
import { untilOver } from "./over.js";
import { TargetError } from "../wire/link.js";

/**
 * The open connections of a run that no case uses now, by lane: cases of one lane follow each other on a connection. On
 * stdio a connection is a process, whose start mostly takes longer than a case.
 */
export class Pool {
  readonly #idle = new Map<string, Connection[]>();
  readonly #setting: CaseSetting;

  constructor(setting: CaseSetting) {
    this.#setting = setting;
  }

  /** An idle connection of the lane, or a new one. Without a lane, always a new one. Rejects with `TargetError`. */
  async take(lane: string | undefined, one?: Case): Promise<Connection> {
    return (lane === undefined ? undefined : this.#idle.get(lane)?.pop()) ?? (await reach(one, this.#setting));
  }

  /** For a case that ends it: an idle connection of any lane with the handshake made, or a new one. */
  async takeForGood(framing: "line" | "header", one: Case): Promise<Connection> {
    // The connections of plain cases, which are in the first lane, are also lent to bystanders.
    for (const idle of [...this.#idle.values()].reverse()) {
      const at = idle.findIndex((each) => each.framing === framing && each.conversation.handshake !== undefined);
      const [found] = at < 0 ? [] : idle.splice(at, 1);
      if (found !== undefined) return found;
    }
    return reach(one, this.#setting);
  }

  /** Takes a connection back, and closes one that no other case can use. */
  async give(lane: string | undefined, connection: Connection): Promise<void> {
    if (lane === undefined || connection.tainted) return connection.close();
    connection.conversation.used = true;
    const idle = this.#idle.get(lane) ?? [];
    idle.push(connection);
    this.#idle.set(lane, idle);
  }

  async close(): Promise<void> {
    const all = [...this.#idle.values()].flat();
    this.#idle.clear();
    await Promise.all(all.map((each) => each.close()));
  }
}

/** Opens a connection, with a second attempt: a target that started once should start again. */
async function reach(one: Case | undefined, setting: CaseSetting): Promise<Connection> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await untilOver(setting.connect(one), setting.over);
    } catch (error) {
      if (error instanceof CaseEnd) throw new TargetError(error.message);
      if (!(error instanceof TargetError) || attempt === 2) throw error;
    }
  }
}
