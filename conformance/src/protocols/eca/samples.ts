import { rewrite } from "@editwire/core";
import { ecaProfiles } from "@editwire/eca-schema";
import { samplesOf } from "../../generate/table-samples.js";
import { table } from "./table.js";

/** No peer has what these fields name. */
const samples = samplesOf(table, {
  chatId: "no-such-chat",
  toolCallId: "no-such-call",
  name: "no-such-server",
  message: "Say ok.",
});

/** Example values for the methods of the specification. */
export const { methodsFrom, sampleParams, takesParams } = samples;

/**
 * A valid result of a request as the specification's dialect writes it. Throws a `TypeError` for a method that is not a
 * request.
 */
export function sampleResult(method: string): unknown {
  return encode(method, "result", samples.sampleResult(method));
}

/** Writes one part of a method as the specification's dialect does. */
export function encode(method: string, part: "params" | "result", value: unknown): unknown {
  return rewrite(ecaProfiles.spec.encode, method, part, value);
}
