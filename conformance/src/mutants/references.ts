import type { BehaviorProvider } from "../core/run/behaviors.js";
import { UsageError } from "../core/errors.js";
import { type Mutant, type Patch, patchOf } from "../core/mutant.js";
import type { ConformanceProtocol, HttpClientReference, ModelReference, Reference } from "../core/protocol.js";
import { behaviorScript } from "../model/behave.js";
import { openScratch } from "../model/scratch.js";
import { startScriptedModel } from "../model/server.js";
import { writeToken } from "../model/token.js";
import type { AgentAddress } from "../wire/control.js";
import { httpTarget } from "../wire/http.js";
import { httpSeat } from "../wire/http-seat.js";
import type { Control, Target } from "../wire/link.js";
import type { Seat } from "../wire/seat.js";
import { seatTarget } from "../wire/seat-target.js";
import { memoryTarget, type Serve } from "../wire/memory.js";
import { streamableTarget } from "../wire/streamable.js";
import { streamableSeat } from "../wire/streamable-seat.js";
import { wsTarget } from "../wire/ws.js";
import { wsSeat } from "../wire/ws-seat.js";
import { type OpenReference, openWsReference } from "./ws-references.js";

/** The network protocol of a reference that is not in memory. */
export type Remote = "http" | "ws";

/** Opens the reference of a role, broken or not: in memory, or over what is asked for or broken. */
export async function openReference(
  protocol: ConformanceProtocol,
  role: string,
  mutant: Mutant | undefined,
  over: Remote | undefined,
): Promise<OpenReference> {
  const reference = referenceOf(protocol, role);
  if (reference.ws !== undefined) return openWsReference(reference.ws, protocol.ws, mutant);
  const shared = reference.share?.();
  const serve: Serve = (pipe, framing) => serveOf(reference, mutant && patchOf(mutant), shared)(pipe, framing);
  if (over === undefined) return { target: memoryTarget(serve, mutant?.id ?? "the reference"), close: async () => {} };
  const { streamable, webSocket } = reference;
  const { streamable: names } = protocol;
  const client = (seat: Seat, remote: HttpClientReference, patch: Patch | undefined): OpenReference => ({
    target: clientOn(seat, remote, serve, { patch, id: mutant?.id }),
    close: async () => {},
  });
  if (over === "ws") {
    if (webSocket === undefined)
      throw new UsageError(`the reference ${role} of ${protocol.name} has no WebSockets beside its other transports`);
    const path = names?.path ?? "";
    if ("pipe" in webSocket) return client(wsSeat({ path }), webSocket, mutant?.webSocket);
    const { url, close } = await webSocket.serve(serve, mutant?.webSocket);
    return { target: wsTarget({ url: `${url}${path}` }), close };
  }
  if (streamable !== undefined && names !== undefined && mutant?.profile === streamable.profile) {
    if ("pipe" in streamable) return client(streamableSeat(names), streamable, mutant.http);
    const { url, close } = await streamable.serve(serve, mutant.http);
    return { target: streamableTarget({ url: `${url}${names.path}`, headers: names }), close };
  }
  const { http } = reference;
  if (http === undefined || protocol.http === undefined)
    throw new UsageError(`the reference ${role} of ${protocol.name} does not listen on HTTP`);
  if ("pipe" in http) return client(httpSeat(protocol.http), http, mutant?.http);
  const { url, close } = await http.serve(serve, mutant?.http);
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

function clientOn(
  seat: Seat,
  over: HttpClientReference,
  serve: Serve,
  { patch, id = "the reference" }: { readonly patch: Patch | undefined; readonly id: string | undefined },
): Target {
  const connect = (agent: AgentAddress, framing: "line" | "header"): Control => {
    const control = "url" in agent ? serve(over.pipe(agent.url, patch), framing) : undefined;
    if (control === undefined) throw new TypeError("the reference is not a client");
    return control;
  };
  return seatTarget(seat, connect, id);
}

/** A reference over bytes. Throws a `UsageError` for one without that transport. */
export function serveOf(reference: Reference, patch?: Patch, shared?: unknown): Serve {
  if (reference.serve === undefined) throw new UsageError("this reference speaks over WebSockets only");
  return reference.serve(patch, shared);
}

/** The reference of a role. Throws a `UsageError` when there is none. */
export function referenceOf({ reference, name }: ConformanceProtocol, role: string): Reference {
  const found = Object.hasOwn(reference, role) ? reference[role] : undefined;
  if (found === undefined) throw new UsageError(`${name} has no reference ${role}`);
  return found;
}
