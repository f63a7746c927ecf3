import type { Peer } from "@editwire/core";
import { deferred, handlerOf } from "./support.js";

/** The headers of an HTTP server with several event streams. */
export const streamNames = { connection: "x-connection", stream: "x-stream" };

/**
 * Serves a peer whose notification `begin` calls the other end back, `n` levels deep, in the session that it names.
 * The promise is the depth that its handler reached. The request `meet` makes this side send `begin` too, and is
 * answered with the depth that it reached.
 */
export function nest(peer: Peer): Promise<unknown> {
  const reached = deferred<unknown>();
  const fail = (error: unknown): void => reached.reject(error);
  const down = (params: unknown): Promise<unknown> => {
    const { s, n } = params as { s: string; n: number };
    return peer.request("depth", { s, n: n - 1 });
  };
  peer.serve(
    handlerOf({
      async request(method, params) {
        const { n } = params as { n: number };
        if (method === "depth") return n === 0 ? 0 : 1 + ((await down(params)) as number);
        await peer.notify("begin", { s: "1", n });
        return reached.promise;
      },
      async notification(_method, params) {
        await Promise.resolve(); // the call is made after the handler has returned its promise
        reached.resolve(1 + ((await down(params)) as number));
      },
      session: (_method, params) => (params as { s?: string } | undefined)?.s,
      error: fail,
    }),
  );
  void peer.closed.then(fail);
  return reached.promise;
}
