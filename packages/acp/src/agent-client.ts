import type { Acp } from "@editwire/acp-schema";
import type { Connection } from "@editwire/core";
import type { Listeners } from "@editwire/session";
import type { SessionClient } from "./agent-session.js";

/** The client at the other end of a connection, as sessions see it. */
export function agentClient(
  connection: () => Connection<Acp, "agent">,
  caller: string | undefined,
  onDiagnostic: Listeners["onDiagnostic"],
): SessionClient & { gone: boolean } {
  return {
    gone: false,
    caller,
    update: (sessionId, update) => connection().notify("session/update", { sessionId, update }),
    async askPermission(sessionId, toolCall, offered, signal) {
      const { outcome } = await connection().request(
        "session/request_permission",
        { sessionId, toolCall, options: [...offered] },
        { signal, settle: "now" },
      );
      if (outcome.outcome === "cancelled") return { outcome: "cancelled", allowed: false };
      const chosen = offered.find(({ optionId }) => optionId === outcome.optionId);
      if (chosen === undefined) {
        const message = `The option ${outcome.optionId} was not offered`;
        onDiagnostic({ id: "option-not-offered", method: "session/request_permission", message });
        return { outcome: "cancelled", allowed: false };
      }
      const { optionId, kind } = chosen;
      return { outcome: "selected", optionId, kind, allowed: kind.startsWith("allow") };
    },
  };
}
