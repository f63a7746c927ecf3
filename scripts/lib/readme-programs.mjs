// How the programs of the READMEs are run: a package's runs in order, and what each one must print.
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const node = process.execPath;
const counter = fileURLToPath(new URL("../../packages/peer/test/vscode-jsonrpc/fixtures/server.mjs", import.meta.url));
const cli = ["node_modules/.bin/editwire-conformance", "reference", "acp", "--role", "agent"].join(" ");
const acpServer = (server, client) => ({
  serves: [`test/readme/${server}.js`, "0"],
  args: ({ url }) => [`test/readme/${client}.js`, url],
  prints: "You said: Hello",
});

/**
 * The runs of each package, by the name of its folder. `args` are the arguments of Node. `serves` starts a program
 * before, and `args` is then called with its URL, or with a free port that `port` asks for.
 */
export const readmePrograms = {
  acp: [
    ...["agent", "stored-agent", "steered-agent", "mcp-agent"].map((agent) => ({
      args: ["test/readme/client.js", node, `test/readme/${agent}.js`],
      prints: "end_turn",
    })),
    { args: ["test/readme/extension.js"], prints: "found [ 'turn.ts' ]" },
    { args: ["test/readme/unstable.js"], prints: "planId: 'p'" },
    { args: ["test/readme/registry.js", "test/readme/registry.json"], prints: "my-agent: My Agent 1.2.0" },
    acpServer("http-agent", "http-client"),
    acpServer("remote-agent", "remote-client"),
    { ...acpServer("callers-agent", "callers-client"), prints: "Hello, bob" },
    ...["express", "fastify", "hono"].map((framework) => acpServer(framework, "remote-client")),
  ],
  agent: [{ args: ["test/readme/client.js", node, "test/readme/agent.js"], prints: "end_turn" }],
  "acp-schema": [
    { args: ["test/readme/read.js"], prints: "Run the tests" },
    { args: ["test/readme/v2.js"], prints: "idle (end_turn)" },
  ],
  conformance: [
    {
      args: ["node_modules/vitest/vitest.mjs", "run", "test/readme/agent.slow.test.js"],
      env: { AGENT_COMMAND: cli },
      prints: "1 passed",
    },
  ],
  core: [{ args: ["test/readme/notes.js"], prints: "" }],
  eca: [{ args: ["test/readme/client.js", node, "test/readme/server.js"], prints: "end_turn" }],
  "eca-schema": [{ args: ["test/readme/read.js"], prints: "read_file" }],
  framing: [{ args: ["test/readme/decode.js"], prints: "" }],
  "helix-zed": [
    {
      serves: ({ port }) => ["test/readme/agent.js", `ws://127.0.0.1:${port}`],
      args: ({ port }) => ["test/readme/host.js", "host.db", `${port}`],
      prints: "end_turn",
    },
  ],
  "helix-zed-schema": [{ args: ["test/readme/read.js"], prints: "ai_msg_1: Hello!" }],
  "ide-tools": [{ args: ["test/readme/tools.js", "test/readme/project"], prints: "src/Main.java" }],
  kaiak: [{ args: ["test/readme/client.js", node, "test/readme/server.js"], prints: "end_turn" }],
  "kaiak-schema": [{ args: ["test/readme/read.js"], prints: "kaiak/delete_session" }],
  peer: [
    { args: ["test/json-rpc/readme/two-ends.js"], prints: "end_turn" },
    { args: ["test/tagged/readme/two-ends.js"], prints: "ran read_file" },
    { args: ["test/vscode-jsonrpc/readme/extension.js", node, counter], prints: "counted { n: 2 }" },
    { args: ["test/vscode-jsonrpc/readme/streams.js", node, counter], prints: "counted { n: 1 }" },
  ],
  sman: [
    {
      serves: ({ port }) => ["test/readme/plugin.js", `ws://127.0.0.1:${port}`],
      args: ({ port }) => ["test/readme/backend.js", `${port}`],
      prints: "the tool failed: no such file: missing.ts",
    },
  ],
  "sman-schema": [{ args: ["test/readme/read.js"], prints: "{ matches: 3 }" }],
  transport: [
    { args: ["test/readme/client.js", node, "test/readme/agent.js"], prints: "hello" },
    { args: ["test/readme/http.js"], prints: "hello" },
    { args: ["test/readme/web-socket.js"], prints: "hello" },
  ],
};

/** A TCP port of this machine that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
