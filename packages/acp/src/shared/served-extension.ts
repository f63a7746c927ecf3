import type { Acp } from "@editwire/acp-schema";

/** The roles of an extension, which are those of ACP. */
export type Roles = "client" | "agent";

/** An extension with the handlers of one side, for `extension` in the options of that side. */
export interface AcpServedExtension<Self extends Roles> {
  readonly self: Self;
  /** ACP with the methods of the extension. */
  readonly protocol: Acp;
  readonly handlers: Readonly<Record<string, unknown>>;
  /** Makes the handlers that need parts of the connection; for the entry points of this package. */
  readonly serve?: ((parts: unknown) => Readonly<Record<string, unknown>>) | undefined;
}
