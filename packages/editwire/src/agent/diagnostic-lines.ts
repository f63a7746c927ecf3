import type { Diagnostic } from "@editwire/core";
import { oneLine } from "../text.js";

/** Diagnostics of something that a program wrote and that the other side never gets. */
const losses = new Set(["rpc.noise", "rpc.unreadable", "rpc.invalid-notification"]);

/**
 * Passes each diagnostic to `say` as a line if `verbose` is set. Otherwise only the first one of a loss is passed, with
 * the flag that shows the others.
 */
export function diagnosticLines(verbose: boolean, say: (line: string) => void): (diagnostic: Diagnostic) => void {
  let isLossSaid = false;
  return ({ id, method, message }) => {
    const line = oneLine(method === undefined ? message : `${method}: ${message}`);
    if (verbose) return say(line);
    if (isLossSaid || !losses.has(id)) return;
    isLossSaid = true;
    say(`${line} (said once; --verbose shows all)`);
  };
}
