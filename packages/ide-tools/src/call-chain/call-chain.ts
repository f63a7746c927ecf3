import type { ToolArguments } from "../arguments.js";
import type { Call } from "../call.js";
import { ToolError } from "../errors.js";
import type { IndexOptions } from "./code-index.js";
import { IndexClient } from "./index-client.js";

/**
 * Analyzes calls. The index is built by the first call, in a worker, and is brought up to date by the others. A call
 * whose time is over leaves the index as far as it is, for the next one.
 */
export interface CallChains {
  call(query: ToolArguments<"call_chain">, call: Call): Promise<string>;
  /** Ends the worker; open calls reject. */
  close(): Promise<void>;
}

/** Opens the analysis of a project. */
export function openCallChains(options: IndexOptions): CallChains {
  let client: IndexClient | undefined;
  return {
    async call(query, { signal, endsAt, language, maxChars }) {
      signal.throwIfAborted();
      if (client === undefined || client.isEnded) client = new IndexClient(options);
      return client.ask({ query, language, maxChars, endsAt }, signal);
    },
    async close() {
      await client?.end(new ToolError("The tools were closed", { code: "closed" }));
    },
  };
}
