import type { Connection } from "@editwire/core";
import { type HelixZed, type HelixZedProfile, helixZedProfiles, type HelixZedTraits } from "@editwire/helix-zed-schema";
import { splitOptions, type SplitOptions } from "@editwire/session";
import { Answer } from "./answer.js";
import type { HelixZedEvent, HelixZedHostOptions } from "./api.js";
import { memoryStore } from "./memory-store.js";
import type { HelixZedInteraction, HelixZedStore } from "./records.js";

/** One agent's socket, on the host's side. */
export type HostConnection = Connection<HelixZed, "host">;

/** The parts that all links of a host share: options, store, listeners. Listeners that throw end nothing. */
export class HostContext {
  readonly options: HelixZedHostOptions;
  readonly profile: HelixZedProfile;
  /** The options for `connect` and for the peer. */
  readonly split: SplitOptions;
  readonly store: HelixZedStore;
  /** Milliseconds between two saves of an answer. */
  readonly saveMs: number;

  constructor(options: HelixZedHostOptions) {
    this.options = options;
    this.split = splitOptions("createHelixZedHost", "helixZedProfiles", options);
    this.profile = options.profile ?? helixZedProfiles.spec;
    this.store = options.store ?? memoryStore();
    this.saveMs = options.saveMs ?? 1_000;
  }

  get traits(): HelixZedTraits {
    return this.profile.traits;
  }

  /** An answer that holds these messages already. */
  answer({ messages }: Pick<HelixZedInteraction, "messages">): Answer {
    const { maxMessages = 10_000, maxAnswerLength = 64 * 1024 * 1024 } = this.options;
    return new Answer({ maxMessages, maxLength: maxAnswerLength }, messages);
  }

  tell(event: HelixZedEvent): void {
    try {
      this.options.onEvent?.(event);
    } catch (error) {
      this.report(error);
    }
  }

  diagnose(id: string, method: string, message: string): void {
    this.split.onDiagnostic({ id, method, message });
  }

  report(error: unknown, method?: string): void {
    this.split.onError(error, method);
  }
}
