import { eca } from "@editwire/eca-schema";
import {
  connect,
  type Connection,
  type Diagnostic,
  type Handlers,
  methodOf,
  type Part,
  type Peer,
  type PeerHandler,
  type Profile,
  type WireError,
} from "@editwire/core";
import { fixtures, methodOfFile } from "./fixtures.js";

/** What a connection made of one value from the wire. */
export interface Received {
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** Lets a value come in through `connect`, as params or as a result. Rejects as the connection does. */
export async function receive(profile: Profile, method: string, part: Part, wire: unknown, strict = false): Promise<Received> {
  const diagnostics: Diagnostic[] = [];
  const options = { profile, strict, onDiagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) };
  const def = methodOf(eca, method);
  if (def === undefined) throw new Error(`no method ${method}`);
  const from = def.from as "client" | "server";
  const peer = peerDouble(wire);
  if (part === "result") {
    const connection = connect(eca, from, peer, {} as Handlers<typeof eca, typeof from>, options) as Connection<typeof eca, "client">;
    return { value: await connection.request(method as "shutdown", validParams(method) as never), diagnostics };
  }
  let value: unknown;
  const capture = (params: unknown): never => {
    value = params;
    throw captured;
  };
  connect(eca, from === "client" ? "server" : "client", peer, { [method]: capture } as never, options);
  try {
    await peer.handler?.[def.kind](method, wire, { signal: new AbortController().signal, id: undefined, afterReply() {} });
  } catch (error) {
    if (error !== captured) throw error;
  }
  return { value, diagnostics };
}

const captured = new Error("captured");

/** Params that let a request leave, so that its result can come. */
function validParams(method: string): unknown {
  return valid.find(({ name, content }) => methodOfFile(name) === method && content.part === "params")?.content.value;
}
const valid = fixtures<{ part: Part; value: unknown }>("valid");

function peerDouble(answer: unknown): Peer & { handler: PeerHandler | undefined } {
  return {
    handler: undefined,
    request: () => Promise.resolve(answer),
    notify() {},
    serve(handler) {
      this.handler = handler;
    },
    close: () => Promise.resolve(),
    closed: new Promise<WireError>(() => {}),
  };
}
