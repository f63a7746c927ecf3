import { acp, type Acp } from "@editwire/acp-schema";
import {
  connect,
  type Connection,
  type Diagnostic,
  type Handlers,
  type Part,
  type Peer,
  type PeerHandler,
  type Profile,
  type WireError,
} from "@editwire/core";

/** What a connection made of one value from the wire. */
export interface Received {
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** Lets a value come in through `connect`, as params or as a result. Rejects as the connection does. */
export async function receive(profile: Profile, method: string, part: Part, wire: unknown, strict = false): Promise<Received> {
  const diagnostics: Diagnostic[] = [];
  const options = { profile, strict, onDiagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic) };
  const from = method === "session/update" || method === "session/request_permission" ? "agent" : "client";
  const peer = peerDouble(wire);
  if (part === "result") {
    const connection = connect(acp, from, peer, {} as Handlers<Acp, typeof from>, options) as unknown as Connection<Acp, "client">;
    return { value: await connection.request(method as "session/prompt", validParams[method] as never), diagnostics };
  }
  let value: unknown;
  const capture = (params: unknown): never => {
    value = params;
    throw captured;
  };
  connect(acp, from === "client" ? "agent" : "client", peer, { [method]: capture } as never, options);
  const kind = acp.methods[method as keyof typeof acp.methods].kind;
  try {
    await peer.handler?.[kind](method, wire, { signal: new AbortController().signal, id: undefined, afterReply() {} });
  } catch (error) {
    if (error !== captured) throw error;
  }
  return { value, diagnostics };
}

const captured = new Error("captured");

/** Params that let a request leave, so that its result can come. */
const validParams: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: 1 },
  authenticate: { methodId: "login" },
  "session/new": { cwd: "/tmp", mcpServers: [] },
  "session/load": { sessionId: "s", cwd: "/tmp", mcpServers: [] },
  "session/prompt": { sessionId: "s", prompt: [] },
  "session/set_mode": { sessionId: "s", modeId: "m" },
  "session/request_permission": { sessionId: "s", toolCall: { toolCallId: "c" }, options: [] },
};

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
