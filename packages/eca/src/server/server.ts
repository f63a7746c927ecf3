import { eca, type Eca, ecaProfiles } from "@editwire/eca-schema";
import { connect, type Connection } from "@editwire/core";
import { checkBinding, checkHandler, claimTransport, type SplitOptions, splitOptions } from "@editwire/session";
import type { Transport } from "@editwire/transport";
import { serverEditor } from "./editor.js";
import { withNumericIds } from "./ids.js";
import { ServerMethods } from "./methods.js";
import { ecaPeer } from "../shared/peer.js";
import type { EcaServer, EcaServerConnection, EcaServerOptions } from "./api.js";

/**
 * Serves code assistance to the client at the other end of a transport. Throws a `TypeError` for a server without
 * `prompt`, for wrong options, and for a transport that has a connection.
 */
export function serveEca(transport: Transport, server: EcaServer, options: EcaServerOptions = {}): EcaServerConnection {
  checkServer("serveEca", server, options);
  const split = splitOptions("serveEca", "ecaProfiles", options);
  const { profile = ecaProfiles.spec, strict = false, cancelGraceMs = 2_000, maxSessions } = options;
  claimTransport("serveEca", transport);
  const { onDiagnostic, onError } = split;
  const methods: ServerMethods = new ServerMethods({
    server,
    strict,
    traits: profile.traits,
    cancelGraceMs,
    maxSessions,
    onDiagnostic,
    onError,
    connection: () => connection,
    self: () => self,
  });
  const connection: Connection<Eca, "server"> = connect(
    eca,
    "server",
    ecaPeer(transport, split.peer),
    methods.handlers,
    {
      ...split.connect,
      profile: withNumericIds(profile),
    },
  );
  const self: EcaServerConnection = connectionOf(connection, methods, split);
  return self;
}

function connectionOf(
  connection: Connection<Eca, "server">,
  methods: ServerMethods,
  { onError, timeoutMs }: SplitOptions,
): EcaServerConnection {
  const notify: EcaServerConnection["notify"] = (method, params) => methods.post(method, params);
  const ended = connection.closed.then(async () => {
    methods.lifecycle.close();
    await methods.release().catch((error: unknown) => onError(error, "shutdown"));
  });
  return {
    connection: { ...connection, notify: methods.notify },
    client: methods.client,
    notify,
    editor: serverEditor(connection, timeoutMs),
    toolServerUpdated: (params) => notify("tool/serverUpdated", params),
    showMessage: (type, message) => notify("$/showMessage", { type, message }),
    startTurn: (turn) => methods.startTurn(turn),
    runningTurn: (sessionId) => methods.runningTurn(sessionId),
    offer: (info) => methods.offer(info),
    select: (sessionId, selection) => methods.select(sessionId, selection),
    close: () => connection.close(),
    closed: connection.closed,
    ended,
    get exitCode() {
      return methods.lifecycle.isShutdown ? 0 : 1;
    },
  };
}

/** Throws a `TypeError` for a server without `prompt`, and for wrong options. `name` is the function that got them. */
export function checkServer(name: string, server: EcaServer, options: EcaServerOptions): void {
  checkHandler(name, "the server", server, "prompt");
  checkBinding(name, "ecaProfiles", options);
}
