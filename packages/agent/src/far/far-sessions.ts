import { LatestMap } from "@editwire/session";
import type { AgentSession } from "../api/session.js";

/** Sessions whose far ids are remembered; the oldest are forgotten first. */
const maxIds = 10_000;

/** One session of the far agent, at one connection. */
export interface FarSession<Client, Remote> {
  readonly client: Client;
  readonly remote: Remote;
}

/** Which session of the far agent stands behind each session here. */
export class FarSessions<Client, Remote> {
  readonly #held = new WeakMap<AgentSession, FarSession<Client, Remote>>();
  /** Far sessions whose session here does not exist yet, by its id. */
  readonly #coming = new Map<string, FarSession<Client, Remote>>();
  /** Far ids that differ from those here. */
  readonly #ids = new LatestMap<string, string>(maxIds);
  /** Far sessions that were deleted here only. */
  readonly #hidden = new LatestMap<string, true>(maxIds);

  /** Notes the far session for a session that is about to exist. */
  expect(sessionId: string, farId: string | undefined, far: FarSession<Client, Remote>): void {
    this.#coming.set(sessionId, far);
    if (farId !== undefined) this.rename(sessionId, farId);
  }

  /** Notes the far id of a session. */
  rename(sessionId: string, farId: string): void {
    if (farId !== sessionId) this.#ids.set(sessionId, farId);
  }

  /** Connects a session that exists now with what was expected. */
  bind(session: AgentSession): void {
    const far = this.#coming.get(session.id);
    this.#coming.delete(session.id);
    if (far !== undefined) this.#held.set(session, far);
  }

  set(session: AgentSession, far: FarSession<Client, Remote>): void {
    this.#held.set(session, far);
  }

  get(session: AgentSession): FarSession<Client, Remote> | undefined {
    return this.#held.get(session);
  }

  /** The far id of a session here. */
  farId(sessionId: string): string {
    return this.#ids.get(sessionId) ?? sessionId;
  }

  /** Notes that a session was deleted here, while the far agent keeps it. */
  hide(sessionId: string): void {
    this.#hidden.set(this.farId(sessionId), true);
  }

  /** True for a far session that was deleted here only. */
  isHidden(farId: string): boolean {
    return this.#hidden.has(farId);
  }

  /** True for a far session that has another id here, under which it is listed. */
  isRenamed(farId: string): boolean {
    return [...this.#ids.values()].includes(farId);
  }
}
