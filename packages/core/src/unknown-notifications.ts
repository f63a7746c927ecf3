import type { Diagnostic } from "./peer.js";

/** The number of methods to remember, so that a peer that invents names cannot exhaust the memory. */
const maxMethods = 100;

/**
 * Reports notifications that the protocol does not define for this peer: each method once per connection, up to 100
 * methods.
 */
export function unknownNotifications(onDiagnostic: (diagnostic: Diagnostic) => void): (method: string) => void {
  const reported = new Set<string>();
  return (method) => {
    if (reported.has(method) || reported.size >= maxMethods) return;
    reported.add(method);
    const kind = method.startsWith("_") ? "an extension's notification" : "a notification";
    onDiagnostic({ id: "unknown-notification", method, message: `ignored ${kind} that the protocol does not have` });
  };
}
