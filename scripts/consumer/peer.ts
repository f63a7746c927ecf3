// Two peers in memory: a call that is answered, and one that fails.
import { strictEqual } from "node:assert";
import { isRemoteError } from "@editwire/core";
import { jsonRpcPeer } from "@editwire/peer";
import { memoryPair } from "@editwire/transport";

async function main(): Promise<void> {
  const [here, there] = memoryPair();
  const client = jsonRpcPeer(here);
  const server = jsonRpcPeer(there);
  client.serve({ request: () => ({}), notification: () => {} });
  server.serve({
    request(method, params) {
      if (method === "echo") return params;
      throw new Error("not for the peer's eyes");
    },
    notification: () => {},
  });

  strictEqual(JSON.stringify(await client.request("echo", { text: "hello" })), '{"text":"hello"}');
  const error: unknown = await client.request("other", {}).catch((reason: unknown) => reason);
  strictEqual(isRemoteError(error, -32603), true);
  strictEqual((error as object).constructor.name, "RemoteError"); // as traces show it
  await client.close();
  strictEqual((await server.closed).code, "closed");
}

void main();
