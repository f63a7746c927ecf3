import type { Acp, AcpProfile } from "@editwire/acp-schema";
import { acpUnstable, acpUnstableProfile } from "@editwire/acp-schema/unstable";
import type { AcpServedExtension } from "../shared/served-extension.js";

/** The options of both sides. */
interface Options<Self extends "client" | "agent"> {
  readonly profile?: AcpProfile | undefined;
  readonly extension?: AcpServedExtension<Self> | undefined;
}

/** The options for the unstable methods, beside those of a vendor. */
export function withUnstable<Self extends "client" | "agent">(
  self: Self,
  { profile = acpUnstableProfile, extension }: Options<Self>,
  serve: (parts: unknown) => object,
): { readonly profile: AcpProfile; readonly extension: AcpServedExtension<Self> } {
  const methods = { ...extension?.protocol.methods, ...acpUnstable.methods };
  const protocol = { ...acpUnstable, methods } as unknown as Acp;
  const own = (parts: unknown): Readonly<Record<string, unknown>> => ({ ...serve(parts) });
  return { profile, extension: { self, protocol, handlers: extension?.handlers ?? {}, serve: own } };
}
