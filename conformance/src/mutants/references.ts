import type { BehaviorProvider } from "../core/behaviors.js";
import { UsageError } from "../core/errors.js";
import { type Mutant, type Patch, patchOf } from "../core/mutant.js";
import type { ConformanceProtocol, HttpClientReference, ModelReference, Reference } from "../core/protocol.js";
import { behaviorScript } from "../model/behave.js";
import { openScratch } from "../model/scratch.js";
import { startScriptedModel } from "../model/server.js";
import { writeToken } from "../model/token.js";
import type { AgentAddress } from "../wire/control.js";
import { type HttpPaths, httpTarget } from "../wire/http.js";
import { httpSeat } from "../wire/http-seat.js";
import type { Control, Target } from "../wire/link.js";
import { seatTarget } from "../wire/seat-target.js";
import { memoryTarget, type Serve } from "../wire/memory.js";
import { streamableTarget } from "../wire/streamable.js";
import { openWsReference } from "./ws-references.js";

/** A reference that can be judged, and what ends it. */
export interface OpenReference {
  readonly target: Target;
  /** How the suite steers it. Default: by commands. */
  readonly behaviors?: BehaviorProvider | undefined;
  close(): Promise<void>;
}

/** Opens the reference of a role, broken or not: in memory, or on HTTP where that is asked for or what is broken. */
export async function openReference(
  protocol: ConformanceProtocol,
  role: string,
  mutant: Mutant | undefined,
  http: boolean,
): Promise<OpenReference> {
  const reference = referenceOf(protocol, role);
  if (reference.ws !== undefined) return openWsReference(reference.ws, protocol.ws, mutant);
  const shared = reference.share?.();
  const serve: Serve = (pipe, framing) => serveOf(reference, mutant && patchOf(mutant), shared)(pipe, framing);
  if (!http) return { target: memoryTarget(serve, mutant?.id ?? "the reference"), close: async () => {} };
  const { streamable } = reference;
  if (streamable !== undefined && protocol.streamable !== undefined && mutant?.profile === streamable.profile) {
    const { url, close } = await streamable.serve(serve, mutant.http);
    return {
      target: streamableTarget({ url: `${url}${protocol.streamable.path}`, headers: protocol.streamable }),
      close,
    };
  }
  if (reference.http === undefined || protocol.http === undefined)
    throw new UsageError(`the reference ${role} of ${protocol.name} does not listen on HTTP`);
  const { http: over } = reference;
  if ("pipe" in over) return { target: clientOnHttp(over, serve, protocol.http, mutant), close: async () => {} };
  const { url, close } = await over.serve(serve, mutant?.http);
  return { target: httpTarget({ url, paths: protocol.http }), close };
}

/** Opens the reference of a role in memory, broken or not, with a scripted model of its own behind every connection. */
export function openReferenceWithModel(
  protocol: ConformanceProtocol,
  role: string,
  mutant: Mutant | undefined,
): OpenReference {
  const reference = referenceOf(protocol, role);
  const { model } = reference;
  if (model === undefined) throw new UsageError(`the reference ${role} of ${protocol.name} has no use for a model`);
  return { target: targetWithModel(reference, model, mutant), behaviors: partlyByModel(model), close: async () => {} };
}

function targetWithModel(reference: Reference, { patch }: ModelReference, mutant: Mutant | undefined): Target {
  const description = `${mutant?.id ?? "the reference"}, with a model`;
  return {
    transport: "memory",
    description,
    async open(options) {
      const scratch = openScratch();
      const model = await startScriptedModel({ script: behaviorScript({ scratch }) });
      const serve = serveOf(reference, { ...patch(model.urls.openai), ...(mutant && patchOf(mutant)) });
      const link = await memoryTarget(serve, description).open(options);
      const close = async (): Promise<void> => {
        await link.close();
        await model.close();
        scratch.remove();
      };
      return { ...link, extras: { ...(link.extras as object), model }, close };
    },
  };
}

function partlyByModel({ behaviors }: ModelReference): BehaviorProvider {
  return {
    mode: "model",
    say: (name, args) =>
      behaviors.includes(name) ? writeToken({ name, args }) : `conf:${name} ${JSON.stringify(args)}`,
  };
}

function clientOnHttp(over: HttpClientReference, serve: Serve, paths: HttpPaths, mutant: Mutant | undefined): Target {
  const connect = (agent: AgentAddress, framing: "line" | "header"): Control => {
    const control = "url" in agent ? serve(over.pipe(agent.url, mutant?.http), framing) : undefined;
    if (control === undefined) throw new TypeError("the reference is no client");
    return control;
  };
  return seatTarget(httpSeat(paths), connect, mutant?.id ?? "the reference");
}

/** A reference over bytes. Throws a `UsageError` for one without that transport. */
export function serveOf(reference: Reference, patch?: Patch, shared?: unknown): Serve {
  if (reference.serve === undefined) throw new UsageError("this reference speaks over WebSockets only");
  return reference.serve(patch, shared);
}

/** The reference of a role. Throws a `UsageError` when there is none. */
export function referenceOf({ reference, name }: ConformanceProtocol, role: string): Reference {
  const found = Object.hasOwn(reference, role) ? reference[role] : undefined;
  if (found === undefined) throw new UsageError(`there is no reference ${role} of ${name}`);
  return found;
}
