import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/** A server of the official SDK whose tool `grow` adds another tool, over both remote transports. */
export async function remoteMcpServer(): Promise<{ url: string; headers: unknown[]; close(): Promise<void> }> {
  const headers: unknown[] = [];
  const overSse = new Map<string, SSEServerTransport>();
  let overHttp: StreamableHTTPServerTransport | undefined;
  const http = createServer((request, response) => {
    headers.push(request.headers["x-key"]);
    void answer().catch((error: unknown) => response.destroy(error as Error));

    async function answer(): Promise<void> {
      const url = new URL(request.url ?? "", "http://localhost");
      if (url.pathname === "/mcp") {
        if (overHttp === undefined) {
          overHttp = new StreamableHTTPServerTransport({ sessionIdGenerator: () => "only" });
          await growingServer().connect(overHttp as Parameters<McpServer["connect"]>[0]);
        }
        return overHttp.handleRequest(request, response);
      }
      if (url.pathname === "/sse") {
        const transport = new SSEServerTransport("/messages", response);
        overSse.set(transport.sessionId, transport);
        return growingServer().connect(transport);
      }
      return overSse.get(url.searchParams.get("sessionId") ?? "")?.handlePostMessage(request, response);
    }
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    headers,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function growingServer(): McpServer {
  const server = new McpServer({ name: "growing", version: "1" });
  server.registerTool("grow", { annotations: { readOnlyHint: true } }, () => {
    server.registerTool("grown", {}, () => ({ content: [] }));
    return { content: [{ type: "text", text: "one more" }] };
  });
  return server;
}
