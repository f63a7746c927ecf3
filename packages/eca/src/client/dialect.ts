import { isObject, type Part, type ProfileFinder } from "@editwire/core";
import { type EcaProfile, ecaProfiles } from "@editwire/eca-schema";

/** The dialect of a connection: the one that the author names, or the one that the server's first answer shows. */
export class EcaDialect implements ProfileFinder {
  readonly #isNamed: boolean;
  #found: EcaProfile;

  /** Without a name, a strict connection speaks `ecaProfiles.spec`. */
  constructor(named: EcaProfile | undefined, strict: boolean) {
    this.#isNamed = named !== undefined || strict;
    this.#found = named ?? ecaProfiles.spec;
  }

  get found(): EcaProfile {
    return this.#found;
  }

  /** Servers of 2026 answer `initialize` without models and behaviors, which the specification of 2025 requires. */
  look(method: string, part: Part, value: unknown): void {
    if (this.#isNamed || method !== "initialize" || part !== "result" || !isObject(value)) return;
    if (value["models"] === undefined && value["chatBehaviors"] === undefined) this.#found = ecaProfiles.v2026;
  }
}
