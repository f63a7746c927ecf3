import type { Diagnostic } from "./peer.js";

/** Methods that are remembered, so that a peer that invents names cannot fill the memory. */
const maxMethods = 100;

/** Reports notifications that the protocol does not have, or not from this peer: each method once per connection, and the first 100 methods. */
export function unknownNotifications(onDiagnostic: (diagnostic: Diagnostic) => void): (method: string) => void {
  const reported = new Set<string>();
  return (method) => {
    if (reported.has(method) || reported.size >= maxMethods) return;
    reported.add(method);
    const kind = method.startsWith("_") ? "an extension's notification" : "a notification";
    onDiagnostic({ id: "unknown-notification", method, message: `ignored ${kind} that the protocol does not have` });
  };
}
