import { connect, type Connection } from "@editwire/core";
import { kaiak, type Kaiak, kaiakProfiles } from "@editwire/kaiak-schema";
import { checkBinding, checkHandler, claimTransport, splitOptions } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import { ServerMethods, ServerState } from "./methods.js";
import { kaiakPeer } from "../shared/peer.js";
import type { KaiakServer, KaiakServerConnection, KaiakServerOptions } from "./api.js";

/**
 * Serves the client at the other end of a transport. Throws a `TypeError` for a server without `prompt`, for wrong
 * options, and for a transport that has a connection.
 */
export function serveKaiak(
  transport: Transport,
  server: KaiakServer,
  options: KaiakServerOptions = {},
): KaiakServerConnection {
  checkServer("serveKaiak", server, options);
  return serveShared("serveKaiak", transport, server, options, new ServerState(options));
}

/** As `serveKaiak`, with sessions and a configuration that several connections share. */
export function serveShared(
  name: string,
  transport: Transport,
  server: KaiakServer,
  options: KaiakServerOptions,
  state: ServerState,
): KaiakServerConnection {
  const split = splitOptions(name, "kaiakProfiles", options);
  claimTransport(name, transport);
  const { profile = kaiakProfiles.spec, cancelGraceMs = 1_500, maxRuns = 100 } = options;
  const { onDiagnostic, onError } = split;
  const peer = kaiakPeer(transport, () => profile.traits, split.peer);
  const methods = new ServerMethods({
    server,
    state,
    traits: profile.traits,
    onDiagnostic,
    onError,
    cancelGraceMs,
    maxRuns,
    checkWorkspace: options.checkWorkspace,
    send: (method, params) => connection.notify(method, params as never),
    close: () => connection.close(),
    closed: () => connection.closed,
  });
  const connection: Connection<Kaiak, "server"> = connect(kaiak, "server", peer, methods.handlers, {
    ...split.connect,
    profile,
  });
  return { connection, close: () => connection.close(), closed: connection.closed };
}

/** Throws a `TypeError` for what is not a server, and for wrong options. `name` is the function that got them. */
export function checkServer(name: string, server: KaiakServer, options: KaiakServerOptions): void {
  checkHandler(name, "the server", server, "prompt");
  checkBinding(name, "kaiakProfiles", options);
}
