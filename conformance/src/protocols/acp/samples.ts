import { table } from "./table.js";
import { isObject } from "@editwire/core";
import { examplesOf, type Fixtures, type MessagePart, readFixtures } from "../../generate/fixtures.js";
import { samplesOf } from "../../generate/table-samples.js";
import { cwd } from "./agent-role.js";

let fixtures: Fixtures | undefined;

/** One full example of every message, or several. */
export const acpFixtures = (): Fixtures => (fixtures ??= readFixtures("@editwire/acp-schema"));

/** The examples of one part of a method, each an object. */
export function examples(method: string, part: MessagePart): readonly Readonly<Record<string, unknown>>[] {
  return examplesOf(acpFixtures(), method, part).filter((one) => isObject(one));
}

/** The first example of one part of a method. */
export function example(method: string, part: MessagePart): unknown {
  return examplesOf(acpFixtures(), method, part)[0];
}

/** Params for methods that a peer acts on, in a form that every agent accepts. */
const samples = samplesOf(table, {
  cwd,
  methodId: "none",
  modeId: "full",
  path: `${cwd}/notes.txt`,
  prompt: [{ type: "text", text: "Say ok." }],
  sessionId: "session-1",
});

/** Example values for the methods of ACP. */
export const { methodsFrom, sampleResult, takesParams } = samples;

/** Valid params of a method for a session: its required fields. Empty for a method that ACP lacks. */
export function sampleParams(method: string, sessionId: string): Record<string, unknown> {
  return samples.sampleParams(method, { sessionId });
}

/** Says whether the params of a method have to name a session. */
export function namesSession(method: string): boolean {
  return "sessionId" in sampleParams(method, "session");
}

const restoring = new Set(
  methodsFrom("client", "request").filter((method) => namesSession(method) && "cwd" in sampleParams(method, "session")),
);

/** Says whether a method takes up a session that this connection may not have opened, such as `session/load`. */
export function restoresSession(method: string | undefined): boolean {
  return method !== undefined && restoring.has(method);
}

/** Says whether the result of a method is a session that is open from then on. */
export function opensSession(method: string | undefined): boolean {
  return method === "session/new" || restoresSession(method);
}
