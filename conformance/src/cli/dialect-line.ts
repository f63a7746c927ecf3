import { profileOf } from "../core/talk/find.js";
import type { ConformanceProtocol, FoundDialect } from "../core/protocol.js";

/** The dialect that a target is judged by, and why, for a person. */
export function dialectLine(protocol: ConformanceProtocol, { profile, reason }: FoundDialect): string {
  return `dialect: ${profileOf(protocol, profile).title ?? profile} (${reason})\n`;
}
