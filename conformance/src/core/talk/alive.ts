import type { Call } from "./call.js";
import type { CaseContext } from "../run/context.js";
import { ExpectationError } from "../errors.js";

const METHOD = "_conformance/alive";
const CAUSE = "unknown-method";

/**
 * Makes sure that the target still answers. Any answer to a request of an unknown method will do. A target that does
 * not answer such a request is asked with `other`, a request that it knows, and from then on with nothing else.
 */
export async function isAlive({ send, known }: Pick<CaseContext, "send" | "known">, other: () => Call): Promise<void> {
  if (known.cause(CAUSE) === undefined) {
    try {
      await send.request(METHOD, {}).response();
      return;
    } catch (error) {
      if (!(error instanceof ExpectationError) || error.miss !== "timeout") throw error;
    }
    await other().response();
    known.blame(CAUSE, "the target does not answer requests of methods that it does not know");
    return;
  }
  await other().response();
}
