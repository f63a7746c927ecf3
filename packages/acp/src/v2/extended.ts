import { acp, type Acp } from "@editwire/acp-schema";
import { acpV2, type AcpV2 } from "@editwire/acp-schema/v2";
import { defineProtocol, type MethodDef, type Protocol, WireError } from "@editwire/core";

/** Version 2 with the methods of an extension, which `protocol` has beside those of version 1. */
export function extendedV2(protocol: Acp): AcpV2 {
  if (protocol === acp) return acpV2;
  const own = Object.entries(protocol.methods as Record<string, MethodDef>).filter(([method]) => isOwn(method));
  const methods: Record<string, MethodDef> = { ...acpV2.methods, ...Object.fromEntries(own) };
  return defineProtocol({ ...acpV2, methods }) as Protocol as AcpV2;
}

/** The methods of extensions are the same in each version. */
export function isOwn(method: string): boolean {
  return method.startsWith("_");
}

/** The error of a method that version 2 lacks. */
export function absentIn2(method: string, peer: "agent" | "client"): WireError {
  return new WireError("invalid_params", `${method}: version 2 of ACP, which this ${peer} speaks, does not have it`);
}
