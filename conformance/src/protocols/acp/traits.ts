import type { CaseContext } from "../../core/run/context.js";

/** The suite's messages and expectations in a dialect of ACP. */
export interface AcpSuiteTraits {
  /** A link must have a name and an image a type, also where the specification leaves them out. */
  readonly namesContents: boolean;
  /** An agent takes what it says beside text and links, and not everything. */
  readonly gatesContents: boolean;
  /** An agent may refuse a request because nobody has logged in, with the code -32000. */
  readonly hasLogin: boolean;
  /** The capabilities with which the suite's agent announces methods that the specification lacks. */
  readonly offered: {
    readonly sessionCapabilities: Readonly<Record<string, unknown>>;
    readonly auth?: Readonly<Record<string, unknown>>;
  };
}

/** The traits of the dialect that a case is judged by. */
export function traitsOf({ profile }: Pick<CaseContext, "profile">): AcpSuiteTraits {
  return profile.traits as AcpSuiteTraits;
}
