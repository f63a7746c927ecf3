import { spawnAcp } from "@editwire/acp/node";
import { expect, it, onTestFinished } from "vitest";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { tempFolder } from "./support/temp-folder.js";

const { bin, agent: program } = await bundle(
  import.meta.url,
  { bin: "../src/bin.ts", agent: "fixtures/acp-agent.ts", ...toolWorker },
  { external: ["web-tree-sitter"] },
);

it("an agent in a process of its own uses grep_file of the server that it gets in mcpServers", async () => {
  const cwd = await tempFolder({ "src/a.ts": "one();\nneedle();\n", "b.txt": "nothing\n" });
  const agent = await spawnAcp([process.execPath, program], { clientInfo: { name: "editor", version: "1.0.0" } });
  onTestFinished(() => agent.close());
  const server = { name: "ide-tools", command: process.execPath, args: [bin, "mcp", cwd], env: [] };
  const session = await agent.newSession({ cwd, mcpServers: [{ type: "stdio", ...server }] });
  let text = "";
  const ends: (string | undefined)[] = [];
  for await (const event of session.prompt("needle")) {
    if (event.type === "text") text += event.text;
    if (event.type === "tool_call") ends.push(event.toolCall.status);
  }
  expect(ends.at(-1)).toBe("completed");
  const [content] = JSON.parse(text) as { text: string }[];
  expect(content?.text).toContain("**Matches**: 1\n\n### src/a.ts\n\n- **Line 2**: `needle();`");
});
