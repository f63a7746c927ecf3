import type { AcpProfile, SessionUpdate, ToolCallStatus } from "@editwire/acp-schema";
import { deviationsOf, rewrite, WireError } from "@editwire/core";
import { LatestMap } from "@editwire/session";
import { startedCall } from "./client.js";

/** Tool calls whose status a session remembers; the one that was updated the longest ago is forgotten first. */
const maxCalls = 1_000;

const ranks: Readonly<Record<ToolCallStatus, number>> = { pending: 0, in_progress: 1, completed: 2, failed: 2 };

/** Refuses updates of a session that strict mode does not send. */
export class StrictUpdates {
  readonly #profile: () => AcpProfile;
  readonly #statuses = new LatestMap<string, ToolCallStatus>(maxCalls);

  /** `profile` returns the dialect, which may be found out while the connection runs. */
  constructor(profile: () => AcpProfile) {
    this.#profile = profile;
  }

  /**
   * Notes an update. Throws `WireError("invalid_params")` for one that a strict client refuses, and for one that takes
   * a tool call back to an earlier status.
   */
  note(update: SessionUpdate): void {
    this.#checkDialect(update);
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
    const { toolCallId, status } = update;
    if (status === undefined) return;
    const before = this.#statuses.get(toolCallId);
    if (before !== undefined && ranks[status] < ranks[before]) {
      const was = ranks[before] === 2 ? `ended as ${before}` : `is ${before}`;
      throw refused(
        ".status",
        `the tool call "${toolCallId}" ${was}, and cannot be ${status} again; use a new toolCallId`,
      );
    }
    this.#statuses.set(toolCallId, status);
  }

  #checkDialect(update: SessionUpdate): void {
    const profile = this.#profile();
    const sent = profile.traits.pendingCalls ? update : startedCall(update);
    const written = rewrite(profile.encode, "session/update", "params", { update: sent });
    const read = rewrite(profile.decode, "session/update", "params", written);
    const [first] = deviationsOf(profile, "session/update", "params", read);
    if (first !== undefined) throw refused("", `${first.id}: ${first.summary}`);
  }
}

function refused(field: string, why: string): WireError {
  return new WireError("invalid_params", `session/update: params.update${field}: ${why}`);
}
