import type { McpServer as OfficialMcpServer } from "@agentclientprotocol/sdk";
import { acpPair } from "@editwire/acp/testing";
import { describe, expect, it } from "vitest";
import { type AcpAgent, type AcpNewMcpServer, acpProfiles, type McpServer } from "../src/index.js";

/** As the official SDK has it. */
const official: OfficialMcpServer = { name: "files", command: "/bin/files", args: ["--all"], env: [] };
const short: AcpNewMcpServer = { name: "files", command: "/bin/files" };
const remote: AcpNewMcpServer = { type: "http", name: "web", url: "http://127.0.0.1:1/mcp" };

function agentWith(opened: (servers: readonly McpServer[]) => void): AcpAgent {
  return {
    capabilities: { mcpCapabilities: { http: true }, loadSession: true, sessionCapabilities: { resume: {} } },
    newSession: ({ mcpServers }) => opened(mcpServers),
    loadSession: () => ({ history: [] }),
    restoreSession: ({ mcpServers }) => (opened(mcpServers), undefined),
    prompt: async () => "end_turn",
  };
}

describe("an MCP server that a client asks for", () => {
  it.each(["spec", "v1"] as const)("may be in the official form, and without args and env, in %s", async (name) => {
    const profile = acpProfiles[name];
    const opened: (readonly McpServer[])[] = [];
    const reported: string[] = [];
    const agent = agentWith((servers) => opened.push(servers));
    const onDiagnostic = ({ id }: { id: string }): void => void reported.push(id);
    const { client } = await acpPair(agent, { client: { profile }, agent: { profile, onDiagnostic } });
    await client.newSession({ cwd: "/p", mcpServers: [official, short] });
    await client.loadSession({ sessionId: "s", cwd: "/p", mcpServers: [short] });
    const whole = { type: "stdio", name: "files", command: "/bin/files", args: [], env: [] };
    expect(opened).toEqual([[{ ...whole, args: ["--all"] }, whole], [whole]]);
    expect(reported).toEqual([]);
  });

  it("may be without headers over http", async () => {
    const opened: (readonly McpServer[])[] = [];
    const { client } = await acpPair(agentWith((servers) => opened.push(servers)));
    await client.resumeSession({ sessionId: "s", cwd: "/p", mcpServers: [remote] });
    expect(opened).toEqual([[{ ...remote, headers: [] }]]);
  });

  it.each([
    [{ name: "x" }, "params.mcpServers.0.command"],
    [{ name: "x", command: "/x", args: "-a" }, "params.mcpServers.0.args"],
    [{ name: "x", command: "/x", env: { A: "b" } }, "params.mcpServers.0.env"],
    [null, "params.mcpServers.0"],
  ])("is refused before it is sent if it is not a server: %j", async (server, path) => {
    const { client } = await acpPair(agentWith(() => {}));
    const mcpServers = [server] as unknown as AcpNewMcpServer[];
    await expect(client.newSession({ cwd: "/p", mcpServers })).rejects.toMatchObject({
      code: "invalid_params",
      message: expect.stringContaining(path),
    });
  });
});
