import { isObject } from "@editwire/core";
import { changedAlike } from "../core/verdict/changed-alike.js";
import { type Mutant, ownPatchOf, type Patch } from "../core/mutant.js";
import type { Envelope } from "../core/talk/message.js";
import type { Reference } from "../core/protocol.js";
import { jsonRpc } from "../monitors/jsonrpc.js";
import { encodeFrame } from "../wire/framing.js";

type Json = Readonly<Record<string, unknown>>;
type Framing = "line" | "header";
type Put = (bytes: Uint8Array) => void;

/** A mutant that needs no reference: it changes the messages of a program on their way. */
export interface Rewriter {
  /** Reads a message that the program receives. */
  received(message: unknown): void;
  /** The messages in place of one that the program sends. */
  rewrite(message: Json): readonly unknown[];
  /** Writes a message in a framing. */
  write(message: unknown, framing: Framing, put: Put): void;
  /** Encodes a message as one frame of a WebSocket: text, or bytes for a binary frame. */
  text(message: unknown): string | Uint8Array;
}

/** The layer between a program and its peer: a stream of bytes, or a WebSocket. */
export type Between = "bytes" | "ws";

/** The switches of every reference that work on messages alone. */
interface Switches {
  readonly outgoing: (message: Json) => readonly unknown[];
  readonly result: (method: string, result: unknown) => unknown;
  readonly initializeResult: (params: Json) => unknown;
  readonly encode: (message: unknown, framing: Framing) => string | Uint8Array;
  readonly write: (bytes: Uint8Array, put: Put) => void;
}

const general: readonly string[] = ["outgoing", "result", "initializeResult"];

/**
 * The switches for which a middle stands in. A reference writes frames as it does on its own transport: bytes with
 * their framing, or what a WebSocket sends.
 */
function switchesOf(reference: Reference, between: Between): readonly string[] {
  if (reference.ws !== undefined) return between === "ws" ? [...general, "encode"] : [];
  return between === "bytes" ? [...general, "encode", "write"] : general;
}

/** Makes a rewriter of a mutant; `undefined` for one that changes what only the reference decides. */
export function rewriterOf(
  mutant: Mutant,
  reference: Reference,
  { classify }: Pick<Envelope, "classify"> = jsonRpc,
  between: Between = "bytes",
): Rewriter | undefined {
  const { rewrites = {}, behavior } = reference;
  const patch = ownPatchOf(mutant);
  const names = Object.keys(patch);
  const switches = switchesOf(reference, between);
  const known = switches.length > 0 && names.every((name) => switches.includes(name) || Object.hasOwn(rewrites, name));
  if (mutant.http !== undefined || mutant.model === true || names.length === 0 || !known) return undefined;
  const right: Patch & Partial<Switches> = { ...behavior, ...mutant.dialect };
  const broken = patch as Patch & Partial<Switches>;
  const asked = new Map<string, { readonly method: string; readonly params: Json }>();
  const special = Object.entries(rewrites).filter(([name]) => Object.hasOwn(patch, name));
  return {
    received(message) {
      const is = classify(message);
      if (is.kind !== "request") return;
      asked.set(JSON.stringify(is.id), { method: is.method, params: isObject(is.params) ? is.params : {} });
    },
    rewrite(message) {
      const request = "result" in message ? asked.get(JSON.stringify(message["id"])) : undefined;
      const answered = request === undefined ? message : withResult(message, request, right, broken);
      const changed = special.reduce<readonly Json[]>(
        (messages, [name, change]) => messages.flatMap((one) => change(patch[name], one, right[name])),
        [answered],
      );
      return changed.flatMap((one) => broken.outgoing?.(one) ?? [one]);
    },
    write(message, framing, put) {
      const bytes = Buffer.from(broken.encode?.(message, framing) ?? encodeFrame(message, framing));
      if (broken.write === undefined) put(bytes);
      else broken.write(bytes, put);
    },
    text: (message) => broken.encode?.(message, "line") ?? JSON.stringify(message),
  };
}

function withResult(
  message: Json,
  { method, params }: { readonly method: string; readonly params: Json },
  right: Partial<Switches>,
  broken: Partial<Switches>,
): Json {
  let { result } = message;
  if (method === "initialize" && broken.initializeResult !== undefined)
    result = changedAlike(result, right.initializeResult?.(params), broken.initializeResult(params));
  if (broken.result !== undefined) result = broken.result(method, result);
  return { ...message, result };
}
