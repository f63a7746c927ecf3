import { eca, type Eca } from "@editwire/eca-schema";
import { connect, type Connection } from "@editwire/core";
import {
  checkBinding,
  checkFunction,
  checkPermission,
  claimTransport,
  definedAsk,
  type InitializedProtocol,
  InitializeWatch,
  splitOptions,
} from "@editwire/session";
import type { Transport } from "@editwire/transport";
import { initializeParams } from "./capabilities.js";
import { ClientCore } from "./core.js";
import { facade } from "./facade.js";
import { ecaPeer } from "../shared/peer.js";
import type { EcaClient, EcaClientOptions } from "./api.js";

/**
 * Connects to a server and initializes it. Throws `WireError` (`closed`, `timeout`, or `invalid_result`, also for an
 * agent of ACP) or the server's `RemoteError`, and closes the transport then. Throws a `TypeError` for wrong options,
 * such as a folder's `uri` without a scheme, and for a transport that has a connection. Until the server has answered,
 * `onError` is called with `WireError("not_connected")` for the first text that is not a message, and after 5 seconds
 * without an answer.
 */
export async function connectEca(transport: Transport, options: EcaClientOptions = {}): Promise<EcaClient> {
  checkClientOptions("connectEca", options);
  const split = splitOptions("connectEca", "ecaProfiles", options);
  const core = new ClientCore(options, split, () => connection);
  const params = initializeParams(options, core.methods);
  claimTransport("connectEca", transport);
  const watch = new InitializeWatch(
    ecaPeer(transport, { ...split.peer, noise: "report" }),
    initialized,
    transport,
    split,
  );
  const { peer } = watch;
  const { dialect } = core;
  const connection: Connection<Eca, "client"> = connect(eca, "client", peer, core.handlers, {
    ...split.connect,
    profile: dialect,
  });
  void connection.closed.then((reason) => core.lost(reason));
  try {
    const { signal } = options;
    const info = await connection.request("initialize", params, {
      ...definedAsk({ signal, timeoutMs: split.timeoutMs }),
      settle: "now",
    });
    watch.check();
    await connection.notify("initialized", {}); // right after the answer: the application's code runs later
    core.update({ type: "initialized", info });
    return facade({ info, core, connection, peer, shutdownTimeoutMs: options.shutdownTimeoutMs });
  } catch (error) {
    await connection.close();
    throw watch.explain(error);
  }
}

/** Throws a `TypeError` for wrong options. `name` is the function that got them. */
export function checkClientOptions(name: string, options: Partial<EcaClientOptions>): void {
  checkBinding(name, "ecaProfiles", options);
  checkPermission(name, options.permission);
  for (const key of ["question", "diagnostics", "definition", "references"] as const)
    checkFunction(name, key, options[key]);
}

const initialized: InitializedProtocol = {
  name: "ECA",
  expects: "JSON-RPC messages with Content-Length headers",
  flags: ["server"],
  other: {
    name: "ACP",
    fields: ["protocolVersion", "agentCapabilities"],
    params: ["protocolVersion"],
    use: "spawnAcp or connectAcp of @editwire/acp",
  },
};
