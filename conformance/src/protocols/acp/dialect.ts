import { type DialectSign, signOf } from "@editwire/acp-schema";
import { isObject } from "@editwire/core";
import { ExpectationError } from "../../core/errors.js";
import type { Classified } from "../../core/talk/message.js";
import type { DialectProbe, FoundDialect } from "../../core/protocol.js";

/** Which dialect each remote transport belongs to. */
const byTransport: Readonly<Record<string, FoundDialect>> = {
  http: { profile: "spec", reason: "it is reached over the HTTP transport of the specification" },
  streamable: { profile: "v1", reason: "it is reached over Streamable HTTP" },
  ws: { profile: "v1", reason: "it is reached over a WebSocket" },
};

const noSign: FoundDialect = { profile: "v1", reason: "no sign of the specification's own dialect" };
const found = ({ dialect, reason }: DialectSign): FoundDialect => ({ profile: dialect, reason });

/** How long an agent is waited for that may be silent once it has read a header, at least. */
const HEADER_MS = 10_000;

/** Finds out which dialect an agent speaks: by what it can do, and whether it answers a header with a header. */
export async function agentDialect({ transport, open }: DialectProbe): Promise<FoundDialect> {
  const known = byTransport[transport];
  if (known !== undefined) return known;
  const params = { protocolVersion: 1, clientCapabilities: {} };
  const began = performance.now();
  const official = capabilitySign(await (await open()).send.request("initialize", params).result());
  if (official !== undefined) return official;
  const patience = Math.max(HEADER_MS, 2 * (performance.now() - began));
  try {
    const talk = await open("header");
    const asked = talk.send.request("initialize", params);
    // Ends the line of an agent that reads lines, so that it answers as well: only its answer tells it from a slow one.
    talk.send.bytes("\n");
    await asked.response({ deadline: patience });
    const framing = talk.history().find(({ is }) => is.kind === "result")?.entry.frame?.framing;
    if (framing === "header") return { profile: "spec", reason: "it answers a Content-Length with one" };
  } catch (error) {
    // One that does not read headers may be silent, or leave.
    if (!(error instanceof ExpectationError)) throw error;
  }
  return noSign;
}

/** The sign in an agent's answer to `initialize`: it has methods that only the official dialect names. */
function capabilitySign({ agentCapabilities }: Readonly<Record<string, unknown>>): FoundDialect | undefined {
  const offered = isObject(agentCapabilities) ? agentCapabilities["sessionCapabilities"] : undefined;
  const names = isObject(offered) ? Object.keys(offered) : [];
  if (names.length === 0) return undefined;
  return { profile: "v1", reason: `it has ${names.map((name) => `session/${name}`).join(", ")}` };
}

/** Finds out which dialect the target of a recorded session spoke, by the first of its messages that shows it. */
export function recordedDialect(sent: readonly Classified[]): FoundDialect {
  for (const is of sent) {
    const sign = "method" in is ? signOf(is.method, "params", is.params) : undefined;
    if (sign !== undefined) return found(sign);
    const official = is.kind === "result" && isObject(is.result) ? capabilitySign(is.result) : undefined;
    if (official !== undefined) return official;
  }
  return noSign;
}

/** Finds out which dialect a client speaks, by its first message. */
export async function clientDialect({ transport, open }: DialectProbe): Promise<FoundDialect> {
  const known = byTransport[transport];
  if (known !== undefined) return known;
  const talk = await open();
  const { params } = await talk.expect.request("initialize");
  const sign = signOf("initialize", "params", params);
  if (sign !== undefined) return found(sign);
  const framing = talk.history()[0]?.entry.frame?.framing;
  return framing === "header" ? { profile: "spec", reason: "its first message has a Content-Length" } : noSign;
}
