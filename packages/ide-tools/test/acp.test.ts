import { connectAcp, serveAcp } from "@editwire/acp";
import { memoryPair } from "@editwire/transport";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { tempFolder } from "./support/temp-folder.js";

const { bin } = await bundle(import.meta.url, { bin: "../src/bin.ts" }, { external: ["web-tree-sitter"] });

it("an ACP agent uses the tools of the server that it gets in mcpServers", async () => {
  const cwd = await tempFolder({ "a.txt": "from the project\n" });
  const [here, there] = memoryPair();
  serveAcp(there, {
    async prompt(turn) {
      const [server] = turn.session.mcpServers;
      if (server === undefined || server.type !== "stdio") throw new Error("no server was given");
      const client = new Client({ name: "agent", version: "1.0.0" });
      await client.connect(new StdioClientTransport({ command: server.command, args: [...server.args] }));
      const { content } = await client.callTool({ name: "read_file", arguments: { relativePath: "a.txt" } });
      await client.close();
      await turn.text(JSON.stringify(content));
    },
  });
  const agent = await connectAcp(here, { clientInfo: { name: "editor", version: "1.0.0" } });
  onTestFinished(() => agent.close());
  const args = [bin, "mcp", cwd];
  const session = await agent.newSession({
    cwd,
    mcpServers: [{ type: "stdio", name: "ide-tools", command: process.execPath, args, env: [] }],
  });
  let text = "";
  for await (const event of session.prompt("Read it")) if (event.type === "text") text += event.text;
  expect(text).toContain("   1 |   from the project");
});
