import { type Diagnostic, ErrorCode, isObject, isRemoteError, type ProfileFinder } from "@editwire/core";
import { executeCommand, type KaiakProfile, kaiakProfiles } from "@editwire/kaiak-schema";

/** The dialect of a connection: the one that the author names, or the one that the server's first answer shows. */
export class KaiakDialect implements ProfileFinder {
  #isSettled: boolean;
  readonly #isNamed: boolean;
  readonly #onDiagnostic: (diagnostic: Diagnostic) => void;
  #found: KaiakProfile;

  /** Without a name, a strict connection speaks `kaiakProfiles.spec`. */
  constructor(named: KaiakProfile | undefined, strict: boolean, onDiagnostic: (diagnostic: Diagnostic) => void) {
    this.#isNamed = named !== undefined || strict;
    this.#isSettled = this.#isNamed;
    this.#found = named ?? kaiakProfiles.spec;
    this.#onDiagnostic = onDiagnostic;
  }

  get found(): KaiakProfile {
    return this.#found;
  }

  look(): void {}

  /**
   * Servers of 2026 do not know `workspace/executeCommand`. Returns whether this error says so; the request can then be
   * sent again, in the dialect of 2026.
   */
  shownBy(error: unknown): boolean {
    if (this.#isNamed || !isRemoteError(error, ErrorCode.MethodNotFound)) return false;
    if (!isObject(error.data) || error.data["method"] !== executeCommand) return false;
    if (!this.#isSettled) {
      this.#isSettled = true;
      this.#found = kaiakProfiles.v2026;
      const message = `the server does not know ${executeCommand}, so it speaks the dialect of 2026`;
      this.#onDiagnostic({ id: "dialect", method: undefined, message });
    }
    return true;
  }
}
