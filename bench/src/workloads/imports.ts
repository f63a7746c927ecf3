import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { benchFolder } from "../build.js";
import { urlOf } from "../installed.js";
import type { Workload } from "./workload.js";

/** The entry points that load no schema. */
export const withoutSchemas = [
  "editwire/core/errors",
  "editwire/framing",
  "editwire/transport",
  "editwire/transport/node",
  "editwire/peer",
] as const;
/** The entry points that load zod. */
export const withSchemas = ["editwire/core", "editwire/acp-schema", "editwire/acp", "editwire/acp/node"] as const;

const others: Readonly<Record<string, string>> = {
  zod: "zod",
  "acp-sdk": "@agentclientprotocol/sdk",
  "vscode-jsonrpc": "vscode-jsonrpc/node",
  "mcp-sdk": "@modelcontextprotocol/sdk/client/index.js",
  "json-rpc-2.0": "json-rpc-2.0",
};

/** The cost of an import in a new process. */
export const imports: Workload = {
  name: "import",
  title: "importing an entry point in a new process",
  contenders: [...withoutSchemas, ...withSchemas, ...Object.keys(others)],
  figures: {
    ms: { unit: "ms", better: "less" },
    cpu: { unit: "ms", better: "less" },
    rss: { unit: "MB", better: "less" },
  },
  async measure(contender, _size, bench) {
    const foreign = others[contender];
    return bench.runImport(foreign === undefined ? await urlOf(contender, bench.folder) : import.meta.resolve(foreign));
  },
};

const programs: Readonly<Record<string, string>> = {
  "editwire/acp": [
    'export { connectAcp } from "@editwire/acp";',
    'export { webSocketTransport } from "@editwire/transport";',
  ].join(" "),
  editwire: `export { jsonRpcPeer } from "@editwire/peer"; export { webSocketTransport } from "@editwire/transport";`,
  "acp-sdk": `export { client, ndJsonStream } from "@agentclientprotocol/sdk";`,
  "vscode-jsonrpc":
    "export { createMessageConnection, BrowserMessageReader, BrowserMessageWriter } " +
    'from "vscode-jsonrpc/browser";',
  "mcp-sdk": `export { Client } from "@modelcontextprotocol/sdk/client/index.js";`,
  "json-rpc-2.0": `export { JSONRPCServerAndClient, JSONRPCServer, JSONRPCClient } from "json-rpc-2.0";`,
};

/** The cost of a client in a web page. */
export const bundles: Workload = {
  name: "bundle",
  title: "a client for browsers, bundled, minified and gzipped",
  contenders: Object.keys(programs),
  maxRounds: 1,
  figures: { size: { unit: "KB", better: "less" } },
  async measure(contender) {
    const { outputFiles } = await build({
      stdin: { contents: programs[contender] ?? "", resolveDir: benchFolder },
      bundle: true,
      write: false,
      minify: true,
      format: "esm",
      target: "es2022",
      platform: "browser",
      conditions: ["@editwire/source"],
      logLevel: "error",
    });
    return { size: gzipSync(outputFiles[0]?.contents ?? "").length / 1_000 };
  },
};
