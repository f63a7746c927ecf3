import { ndjson } from "@editwire/framing";
import { jsonRpcPeer } from "@editwire/peer";
import { httpClientTransport, type Transport } from "@editwire/transport";
import {
  connectSocket,
  connectWebSocket,
  httpServer,
  listenHttp,
  listenSocket,
  spawnTransport,
  stdioTransport,
  webSocketUpgrader,
} from "@editwire/transport/node";
import type { Contender, Handlers, Link, Update } from "./contender.js";
import { listenOn, upgradeServer } from "./web-sockets.js";

const paths = { rpcPath: "/rpc", eventsPath: "/events" };

/** The JSON-RPC engine over the transports of this repository, without validation. */
export const contender: Contender = {
  spawn: async (argv, handlers) => attach(spawnTransport(argv, ndjson()), handlers),
  stdio: (handlers) => void attach(stdioTransport(ndjson()), handlers),
  async dial(address, handlers) {
    if (address.startsWith("ws:")) return attach(await connectWebSocket(address), handlers);
    if (address.startsWith("http:"))
      return attach(
        httpClientTransport({ rpc: withId(address, "/rpc"), events: withId(address, "/events") }),
        handlers,
      );
    return attach(await connectSocket({ path: address }, ndjson()), handlers);
  },
  async listen(address, handlers) {
    const serve = (transport: Transport): void => void attach(transport, handlers);
    if (address.startsWith("ws:")) {
      const { upgrade } = webSocketUpgrader(serve, { maxConnections: 10_000 });
      return listenOn(upgradeServer().on("upgrade", upgrade), "ws");
    }
    if (address.startsWith("http:")) return (await listenHttp(httpServer({ ...paths, onClient: serve }).fetch)).url;
    await listenSocket({ path: address }, ndjson(), serve, { maxConnections: 10_000 });
    return address;
  },
};

function attach(transport: Transport, handlers: Handlers): Link {
  const peer = jsonRpcPeer(transport);
  const link: Link = {
    call: (method, params) => peer.request(method, params, { streams: method === "_bench/flood" }),
    update: (params) => peer.notify("session/update", params),
    close: () => peer.close(),
  };
  peer.serve({
    request: (method, params) => handlers.call(method, params, link),
    notification: (_method, params) => handlers.update(params as Update),
    error: (error) => console.error(error),
  });
  return link;
}

function withId(address: string, path: string): string {
  return `${address}${path}?client_id=bench`;
}
