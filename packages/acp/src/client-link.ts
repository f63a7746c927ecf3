import type { Acp } from "@editwire/acp-schema";
import type { Connection, Diagnostic } from "@editwire/core";
import type { PermissionHandler } from "./permission.js";

/** What a session needs of its connection. */
export interface ClientLink extends Pick<Connection<Acp, "client">, "request" | "notify"> {
  readonly permission: PermissionHandler;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  readonly onError: (error: unknown, method: string | undefined) => void;
}
