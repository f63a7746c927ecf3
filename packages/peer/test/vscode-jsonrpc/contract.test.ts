import { jsonRpcPeer } from "@editwire/peer";
import { memoryPair } from "@editwire/transport";
import { peerTests } from "../json-rpc/contract.js";
import { connectionPeer } from "../../src/vscode-jsonrpc/index.js";
import { guarded, socketPair, stock } from "./support.js";

const cancel = {
  method: "$/cancelRequest",
  params: (id: string | number) => ({ id }),
  idOf: (params: unknown) => (params as { id?: string | number } | null)?.id,
};

peerTests("vscode-jsonrpc's own reader and writer, over a socket", async () => {
  const [near, far] = await socketPair();
  return { left: connectionPeer(stock(near), { cancel }), right: connectionPeer(stock(far), { cancel }) };
});

peerTests("connections over our transports", () => {
  const [near, far] = memoryPair();
  return { left: connectionPeer(guarded(near), { cancel }), right: connectionPeer(guarded(far), { cancel }) };
});

peerTests("a connection and our engine", () => {
  const [near, far] = memoryPair();
  return { left: connectionPeer(guarded(near), { cancel }), right: jsonRpcPeer(far, { cancel }) };
});
