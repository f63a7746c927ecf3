import { type EcaProfile, ecaProfiles, type InitializeResult } from "@editwire/eca-schema";

/** The dialect of a connection: the one that the author names, or the one that the server's first answer shows. */
export class ClientDialect {
  readonly #named: boolean;
  #current: EcaProfile;

  /** Without a name, a strict connection speaks `ecaProfiles.spec`. */
  constructor(named: EcaProfile | undefined, strict: boolean) {
    this.#named = named !== undefined || strict;
    this.#current = named ?? ecaProfiles.spec;
  }

  /** For `connect`. It changes with `detect`. */
  get profile(): EcaProfile {
    const current = (): EcaProfile => this.#current;
    return {
      get name() {
        return current().name;
      },
      get traits() {
        return current().traits;
      },
      get decode() {
        return current().decode;
      },
      get encode() {
        return current().encode;
      },
      get deviations() {
        return current().deviations;
      },
    };
  }

  /** Servers of 2026 answer `initialize` without models and behaviors, which the specification of 2025 requires. */
  detect({ models, chatBehaviors }: InitializeResult): void {
    if (!this.#named && models === undefined && chatBehaviors === undefined) this.#current = ecaProfiles.v2026;
  }
}
