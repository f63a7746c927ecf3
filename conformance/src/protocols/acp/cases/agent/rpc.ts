import { defineCases } from "../../agent-role.js";

/** JSON that is neither a request nor a notification. JSON-RPC 2.0 has batches, but none that is empty. */
const notRequests = [
  ["an empty batch", []],
  ["a number", 42],
  ["no version", { id: "no-version", method: "authenticate", params: { methodId: "none" } }],
  ["a method that is not a string", { jsonrpc: "2.0", id: "method", method: 5 }],
] as const;

/** Section 2: JSON-RPC. */
export const rpcCases = defineCases({
  "rpc.not-json": {
    title: "bytes that are not JSON are answered with -32700",
    emits: ["ACP-RPC-008"],
    isolation: "rough",
    framing: "line",
    transports: ["stdio"],
    async run(t) {
      await t.initialized();
      t.send.bytes("{nope}\n");
      await t.require("ACP-RPC-008", t.expect.message({ id: null, error: { code: -32700 } }));
    },
  },
  ...defineCases.each(notRequests, ([what, message], index) => ({
    [`rpc.no-request-${index + 1}`]: {
      title: `${what} is answered with -32600`,
      emits: ["ACP-RPC-010"],
      isolation: "rough",
      transports: ["stdio"],
      async run(t) {
        await t.initialized();
        t.send.invalid(message);
        await t.require("ACP-RPC-010", t.expect.message({ error: { code: -32600 } }));
        await t.require("ACP-RPC-010", t.alive());
      },
    },
  })),
});
