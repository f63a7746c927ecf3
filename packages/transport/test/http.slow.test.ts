import type { Transport } from "../src/index.js";
import { type Ends, type EndsOptions, transportTests } from "./contract.js";
import { clientOf, leanFetch, listen, serve } from "./http-fixture.js";
import { inProcess } from "./in-process.js";

/** A transport that is there later. It is not sent to before. */
function later(transport: Promise<Transport>): Transport {
  let there: Transport | undefined;
  return {
    start: (events) => void transport.then((it) => (there = it).start(events)),
    send: (json) => there?.send(json),
    close: async () => there?.close(),
  };
}

const patience = { closeTimeoutMs: 60_000 };
const large = { maxBodyBytes: 100_000_000, maxQueuedBytes: 100_000_000, ...patience };
// Each message to the server costs a request; one that is too large is answered so, which ends the client.
const traits = { limitsMessages: false, messages: 2_000 };

transportTests(
  "the client end of HTTP and SSE",
  async (options: EndsOptions): Promise<Ends> => {
    const { server, accepted } = serve(large);
    const listener = await listen((request) => server.fetch(request));
    const far = later(accepted);
    const near = clientOf(listener, { retryMs: 300, ...patience, ...options });
    return inProcess(near, far, { garbage: () => void far.send("{oops"), kill: () => void listener.stop() });
  },
  traits,
);

transportTests(
  "the server end of HTTP and SSE",
  async ({ maxQueuedBytes = large.maxQueuedBytes }: EndsOptions): Promise<Ends> => {
    const { server, accepted } = serve({ ...large, maxQueuedBytes, idleMs: 100 });
    const listener = await listen((request) => server.fetch(request));
    const far = clientOf(listener, { retryMs: 0, fetch: leanFetch, ...patience });
    const ends = inProcess(far, far, { garbage: () => {}, kill: () => void listener.stop() });
    return { ...ends, near: await accepted };
  },
  { ...traits, carriesGarbage: false },
);
