import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How the proxy answers a POST that its server took: with a status, or with a reset of the connection. */
export type Loss = 502 | 504 | "reset";

/**
 * A proxy between a client and the server at `target` that answers the first POST of each method in `losses` before
 * its server does, as a load balancer with a time limit may. It hides that the server takes keys, as a server does
 * that takes none. Returns its URL, and how often each method was POSTed.
 */
export async function lossyProxy(target: string, losses: Record<string, Loss>) {
  const counts: Record<string, number> = {};
  const proxy = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const message = body.length > 0 ? (JSON.parse(body.toString()) as { method?: string }) : {};
    const method = message.method ?? "answer";
    if (incoming.method === "POST") counts[method] = (counts[method] ?? 0) + 1;
    const loss = incoming.method === "POST" && counts[method] === 1 ? losses[method] : undefined;
    if (loss === "reset") incoming.socket.destroy();
    else if (loss !== undefined) await once(outgoing.writeHead(loss).end("upstream timed out"), "finish");
    const { "idempotency-key": _key, ...headers } = incoming.headers;
    const options = { method: incoming.method ?? "GET", headers: { ...headers, connection: "close" } };
    const forwarded = httpRequest(new URL(incoming.url ?? "/", target), options, (answer) => {
      delete answer.headers["accept-idempotency-key"];
      if (loss !== undefined) return void answer.resume();
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers).flushHeaders();
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    if (loss === undefined) outgoing.on("close", () => forwarded.destroy());
    forwarded.on("error", () => outgoing.destroy()).end(body);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, counts };
}
