import { acp as table } from "@editwire/acp-schema";
import { samplesOf } from "../../generate/table-samples.js";
import { cwd } from "./agent-role.js";

/** What a peer acts on, in a form that every agent takes. */
const samples = samplesOf(table, {
  cwd,
  methodId: "none",
  modeId: "full",
  prompt: [{ type: "text", text: "Say ok." }],
  sessionId: "session-1",
});

/** What the method table of ACP says about its methods. */
export const { methodsFrom, sampleResult, takesParams } = samples;

/** Valid params of a method for a session: its required fields. Empty for a method that ACP lacks. */
export function sampleParams(method: string, sessionId: string): Record<string, unknown> {
  return samples.sampleParams(method, { sessionId });
}

/** Says whether the params of a method have to name a session. */
export function namesSession(method: string): boolean {
  return "sessionId" in sampleParams(method, "session");
}
