import { RemoteError } from "@editwire/core/errors";
import { jsonRpcPeer } from "@editwire/peer";
import { memoryPair } from "@editwire/transport";

const [here, there] = memoryPair();
const editor = jsonRpcPeer(here);
const agent = jsonRpcPeer(there);

agent.serve({
  async request(method, params) {
    if (method !== "prompt") throw RemoteError.methodNotFound(method);
    for (const word of ["Looking", "at", JSON.stringify(params)]) await agent.notify("chunk", { word });
    return { stopReason: "end_turn" };
  },
  notification() {},
});

editor.serve({
  request: (method) => Promise.reject(RemoteError.methodNotFound(method)),
  notification: (_method, params) => console.log(params),
});

console.log(await editor.request("prompt", { text: "the tests" }, { timeoutMs: 5_000 }));
await editor.request("compact", {}).catch((error: Error) => console.log(error.message));
await editor.close();
console.log((await agent.closed).message);
