import { isWireError } from "@editwire/core";
import type { SmanBackend, SmanIde } from "@editwire/sman";

/** How the IDE of a project is reached. */
export interface ReconnectingIdeOptions {
  readonly projectKey: string;
  /** Milliseconds to wait for the IDE, at the beginning and after it was lost. */
  readonly waitMs: number;
  /** Called before a call that a lost IDE did not answer is made again. */
  readonly onLost?: ((tool: string) => void) | undefined;
}

/** How often a call is made again after its IDE was lost. */
const maxRetries = 3;

/**
 * The IDE of a project, whichever connection it has. When an IDE is lost, its calls reject with `closed` at once. A
 * tool that only reads is then called again in the next IDE of the project. A change may have been applied, so it is up
 * to the model to look before it makes it again.
 */
export function reconnectingIde(
  backend: SmanBackend,
  { projectKey, waitMs, onLost }: ReconnectingIdeOptions,
): Pick<SmanIde, "call"> {
  return {
    async call(tool, params, options = {}) {
      for (let retries = 0; ; retries += 1) {
        const ide = await backend.ide({ projectKey }, { signal: options.signal, timeoutMs: waitMs });
        try {
          return await ide.call(tool, params, options);
        } catch (error) {
          if (!isWireError(error, "closed") || retries === maxRetries || tool === "apply_change") throw error;
          onLost?.(tool);
        }
      }
    },
  };
}
