import { createAcpMcp } from "@editwire/acp/mcp";
import { serveAcpStdio } from "@editwire/acp/node";

const mcp = createAcpMcp();

serveAcpStdio({
  capabilities: { mcpCapabilities: { http: true, sse: true } },
  async prompt(turn) {
    const { tools, call } = await mcp.open(turn.session); // starts the session's servers once
    const [tool] = tools; // a model chooses: each has a callName, a description and an inputSchema
    if (tool === undefined) return void turn.text("There are no tools.");
    const { text } = await call(turn, tool.callName, { message: turn.promptText });
    await turn.text(text);
  },
});
