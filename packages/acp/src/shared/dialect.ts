import { type AcpProfile, acpProfiles, signOf } from "@editwire/acp-schema";
import type { Diagnostic, Part, ProfileFinder } from "@editwire/core";

type DialectName = keyof typeof acpProfiles;

/**
 * Finds out which dialect the peer speaks. The first sign decides. Without one it is that of the official SDK, which
 * the public programs speak; an agent settles for it at the first prompt, so that all its updates are in one dialect.
 */
export class AcpDialect implements ProfileFinder {
  #found: AcpProfile = acpProfiles.v1;
  #reason: string | undefined;
  /** The argument of `assume`, until the first message. */
  #assumed: { readonly dialect: DialectName; readonly reason: string } | undefined;
  #report: ((diagnostic: Diagnostic) => void) | undefined;
  readonly #settlesAtPrompt: boolean;

  constructor(self: "client" | "agent") {
    this.#settlesAtPrompt = self === "agent";
  }

  get found(): AcpProfile {
    return this.#found;
  }

  look(method: string, part: Part, value: unknown): void {
    if (this.#reason !== undefined) return;
    const found = signOf(method, part, value);
    const sign = method === "initialize" ? (found ?? this.#assumed) : (this.#assumed ?? found);
    if (sign !== undefined) this.decide(sign.dialect, sign.reason);
    else if (this.#settlesAtPrompt && method === "session/prompt")
      this.decide("v1", "nothing indicates another dialect");
  }

  /** Takes a dialect by a sign outside of the messages. The capabilities in `initialize` outweigh it. */
  assume(dialect: DialectName, reason: string): void {
    if (this.#reason !== undefined) return;
    this.#found = acpProfiles[dialect];
    this.#assumed = { dialect, reason };
  }

  /** Decides by a sign, unless there was one before. */
  decide(dialect: DialectName, reason: string): void {
    if (this.#reason !== undefined) return;
    this.#found = acpProfiles[dialect];
    this.#reason = reason;
    this.#tell();
  }

  /** Reports the choice, now or as soon as it is made. Returns this dialect. */
  reportingTo(report: (diagnostic: Diagnostic) => void): this {
    this.#report = report;
    if (this.#reason !== undefined) this.#tell();
    return this;
  }

  #tell(): void {
    const message = `the peer speaks the dialect "${this.#found.name}": ${this.#reason}`;
    this.#report?.({ id: "dialect", method: undefined, message });
  }
}
