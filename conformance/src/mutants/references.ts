import { UsageError } from "../core/errors.js";
import { type Mutant, patchOf } from "../core/mutant.js";
import type { ConformanceProtocol, Reference } from "../core/protocol.js";
import { httpTarget } from "../wire/http.js";
import type { Target } from "../wire/link.js";
import { memoryTarget, type Serve } from "../wire/memory.js";

/** A reference that can be judged, and what ends it. */
export interface OpenReference {
  readonly target: Target;
  close(): Promise<void>;
}

/** Opens the reference of a role, broken or not: in memory, or on HTTP where that is asked for or what is broken. */
export async function openReference(protocol: ConformanceProtocol, role: string, mutant: Mutant | undefined, http: boolean): Promise<OpenReference> {
  const reference = referenceOf(protocol, role);
  const serve: Serve = (pipe, framing) => reference.serve(mutant && patchOf(mutant))(pipe, framing);
  if (!http) return { target: memoryTarget(serve, mutant?.id ?? "the reference"), close: async () => {} };
  if (reference.http === undefined || protocol.http === undefined) throw new UsageError(`the reference ${role} of ${protocol.name} does not listen on HTTP`);
  const { url, close } = await reference.http.serve(serve, mutant?.http);
  return { target: httpTarget({ url, paths: protocol.http }), close };
}

/** The reference of a role. Throws a `UsageError` when there is none. */
export function referenceOf({ reference, name }: ConformanceProtocol, role: string): Reference {
  const found = Object.hasOwn(reference, role) ? reference[role] : undefined;
  if (found === undefined) throw new UsageError(`there is no reference ${role} of ${name}`);
  return found;
}
