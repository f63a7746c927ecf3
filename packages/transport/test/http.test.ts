import { onTestFinished } from "vitest";
import { httpServer } from "../src/http.js";
import { httpClientTransport, type Transport } from "../src/index.js";
import { listenHttp } from "../src/node.js";
import { type Ends, type EndsOptions, transportTests } from "./contract.js";
import { inProcess } from "./in-process.js";
import { deferred } from "./near-end.js";

/** A client and the server's end of it, over a real listener. */
async function connect(clientOptions: EndsOptions, serverOptions: EndsOptions): Promise<{ client: Transport; server: Transport; kill(): void }> {
  const accepted = deferred<Transport>();
  const { maxQueuedBytes, maxMessageBytes = 100_000_000 } = serverOptions;
  const server = httpServer({ rpcPath: "/rpc", eventsPath: "/sse", maxBodyBytes: maxMessageBytes, maxQueuedBytes: maxQueuedBytes ?? 128_000_000, onClient: accepted.resolve });
  const listener = await listenHttp((request) => server.fetch(request));
  onTestFinished(() => listener.close());
  const client = httpClientTransport({ rpc: `${listener.url}/rpc?client_id=c`, events: `${listener.url}/sse?client_id=c`, retryMs: 300, ...clientOptions });
  await fetch(`${listener.url}/rpc?client_id=c`, { method: "POST", body: "no message, but it makes the client known" });
  return { client, server: await accepted.promise, kill: () => void listener.close() };
}

const cannot = { garbage: () => {} };

transportTests(
  "the client end of HTTP and SSE",
  async (options: EndsOptions): Promise<Ends> => {
    const { client, server, kill } = await connect(options, {});
    return inProcess(client, server, { ...cannot, kill });
  },
  { limitsMessages: false, carriesGarbage: false },
);

transportTests(
  "the server end of HTTP and SSE",
  async (options: EndsOptions): Promise<Ends> => {
    const { client, server } = await connect({}, options);
    return inProcess(server, client, cannot);
  },
  { limitsMessages: false, carriesGarbage: false },
);
