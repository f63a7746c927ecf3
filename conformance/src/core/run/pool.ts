import type { Case } from "./case.js";
import type { CaseSetting } from "./case-setting.js";
import type { Connection } from "../talk/connection.js";
import { CaseEnd } from "../errors.js";
import { untilOver } from "./over.js";
import { wait } from "../talk/time.js";
import { TargetError } from "../../wire/link.js";

/**
 * The open connections of a run that no case uses now, by lane: cases of one lane follow each other on a connection. On
 * stdio a connection is a process, whose start mostly takes longer than a case.
 */
export class Pool {
  readonly #idle = new Map<string, Connection[]>();
  readonly #setting: CaseSetting;
  /** How many connections cases use. */
  #lent = 0;
  /** Those that wait until a connection is given back. */
  readonly #waiting = new Set<() => void>();
  /** The target did not accept a connection although no other one was open. */
  #isGone = false;

  constructor(setting: CaseSetting) {
    this.#setting = setting;
  }

  /**
   * An idle connection of the lane, or a new one. Without a lane, always a new one. If the target accepts no other
   * connection, it waits until no case uses one. Rejects with `TargetError`.
   */
  take(lane: string | undefined, one?: Case): Promise<Connection> {
    return this.#lend(() => this.#idleOf(lane) ?? this.#open(lane, one));
  }

  /** The same for a case that uses a connection already, so that nothing is waited for. */
  takeBeside(lane: string): Promise<Connection> {
    return this.#lend(() => this.#idleOf(lane) ?? reach(undefined, this.#setting));
  }

  /** For a case that ends it: an idle connection of any lane with the handshake made, or a new one. */
  async takeForGood(framing: "line" | "header", one: Case): Promise<Connection> {
    // The connections of plain cases, which are in the first lane, are also lent to bystanders.
    for (const idle of [...this.#idle.values()].reverse()) {
      const at = idle.findIndex((each) => each.framing === framing && each.conversation.handshake !== undefined);
      const [found] = at < 0 ? [] : idle.splice(at, 1);
      if (found !== undefined) return this.#lend(() => found);
    }
    return this.take(undefined, one);
  }

  /** Takes a connection back, and closes one that no other case can use. */
  async give(lane: string | undefined, connection: Connection): Promise<void> {
    await this.keep(lane, connection);
    this.#returned();
  }

  /** The same for a connection that was opened elsewhere. */
  async keep(lane: string | undefined, connection: Connection): Promise<void> {
    // A trace that many cases have filled would look like a flood of the next one.
    if (lane === undefined || connection.tainted || connection.trace.hasUsed(0.25)) return connection.close();
    connection.conversation.used = true;
    this.#idle.set(lane, [...(this.#idle.get(lane) ?? []), connection]);
  }

  async close(): Promise<void> {
    const all = [...this.#idle.values()].flat();
    this.#idle.clear();
    await Promise.all(all.map((each) => each.close()));
  }

  async #lend(find: () => Connection | Promise<Connection>): Promise<Connection> {
    this.#lent += 1;
    try {
      return await find();
    } catch (error) {
      this.#returned();
      throw error;
    }
  }

  #returned(): void {
    this.#lent -= 1;
    for (const look of this.#waiting) look();
    this.#waiting.clear();
  }

  #idleOf(lane: string | undefined): Connection | undefined {
    return lane === undefined ? undefined : this.#idle.get(lane)?.pop();
  }

  async #open(lane: string | undefined, one: Case | undefined): Promise<Connection> {
    const hadOthers = this.#hasOthers();
    try {
      return await reach(one, this.#setting);
    } catch (error) {
      if (!(error instanceof TargetError) || this.#isGone || !(hadOthers || this.#hasOthers())) throw error;
      return this.#openAlone(lane, one, error);
    }
  }

  /** Whether there are connections beside the one that is being opened. */
  #hasOthers(): boolean {
    return this.#lent > 1 || [...this.#idle.values()].some(({ length }) => length > 0);
  }

  /** For a target that serves one connection at a time, and has refused another one. */
  async #openAlone(lane: string | undefined, one: Case | undefined, refusal: TargetError): Promise<Connection> {
    for (let attempt = 1; ; attempt++) {
      await this.#othersReturned();
      const idle = this.#idleOf(lane);
      if (idle !== undefined) return idle;
      if (this.#mustStay()) throw refusal;
      await this.close();
      try {
        return await reach(one, this.#setting);
      } catch (error) {
        this.#isGone = attempt === ATTEMPTS;
        if (!(error instanceof TargetError) || this.#isGone) throw error;
      }
      // The target may notice a little later that the other connection has ended.
      await wait(PAUSE_MS);
    }
  }

  /** Over HTTP with a client id, no client says that it has left, so its place stays taken. */
  #mustStay(): boolean {
    return [...this.#idle.values()].flat().some(({ link }) => link.transport === "http");
  }

  /** Waits until no case uses a connection, except this one, which has none. */
  async #othersReturned(): Promise<void> {
    this.#lent -= 1;
    while (this.#lent > 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    this.#lent += 1;
  }
}

/** How often and at what distance a connection is tried while the target may still close another one. */
const ATTEMPTS = 20;
const PAUSE_MS = 50;

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
