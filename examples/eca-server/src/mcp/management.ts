import { RemoteError } from "@editwire/core";
import type { EcaServerConnection, EcaServerMethods } from "@editwire/eca";
import type { McpServerUpdatedParams } from "@editwire/eca-schema";
import type { McpServer } from "./server.js";
import type { McpServers } from "./servers.js";

/**
 * What editors of 2026 do to MCP servers besides starting and stopping them. It lasts as long as this process: the file
 * of the configuration is the user's, and is left alone.
 */
export function mcpMethods(mcp: McpServers, connection: () => EcaServerConnection | undefined): EcaServerMethods {
  const known = (method: string, name: string): McpServer => {
    const server = mcp.get(name);
    if (server === undefined)
      throw RemoteError.invalidParams(`${method}: there is no MCP server ${name}`, { code: "server_not_found", name });
    return server;
  };
  /** A server is started by a command, and nobody logs in to it. */
  const noLogin = ({ name }: { name: string }): void =>
    connection()?.showMessage(
      "warning",
      `The MCP server ${name} is started by a command: there is nothing to log in to or out of.`,
    );

  return {
    "mcp/addServer"({ name, command, url, args = [], env = {}, disabled = false }) {
      if (command === undefined) throw withoutCommand("mcp/addServer", url);
      if (mcp.get(name) !== undefined)
        throw RemoteError.invalidParams(`mcp/addServer: there is an MCP server ${name} already`, {
          code: "server_exists",
          name,
        });
      const server = mcp.add({ name, command, args, env, disabled });
      if (disabled) connection()?.toolServerUpdated(described(server));
      else void server.start(); // tool/serverUpdated reports the outcome
      return { server: described(server) };
    },
    "mcp/updateServer"({ name, command, url, args }) {
      const server = known("mcp/updateServer", name);
      if (url !== undefined) throw withoutCommand("mcp/updateServer", url);
      void server.change({ ...(command === undefined ? {} : { command }), ...(args === undefined ? {} : { args }) });
      return {};
    },
    async "mcp/removeServer"({ name }) {
      known("mcp/removeServer", name);
      await mcp.remove(name);
      connection()?.notify("tool/serverRemoved", { name });
      return { name, removed: true };
    },
    "mcp/disableServer": ({ name }) => void mcp.get(name)?.change({ disabled: true }),
    "mcp/enableServer": ({ name }) => void mcp.get(name)?.change({ disabled: false }),
    "mcp/connectServer": noLogin,
    "mcp/logoutServer": noLogin,
  };
}

function withoutCommand(method: string, url: string | undefined): RemoteError {
  const reason = url === undefined ? "expected a command" : `${url} cannot be reached`;
  return RemoteError.invalidParams(
    `${method}: ${reason}; this server starts MCP servers by a command, and knows no others`,
  );
}

/** An MCP server as editors show it. */
export function described({ config, status, offer }: McpServer): McpServerUpdatedParams {
  const { name, command, args } = config;
  return {
    type: "mcp",
    name,
    command,
    args: [...args],
    status,
    tools: offer.tools.map(({ name: tool, description = "", inputSchema }) => ({
      name: tool,
      description,
      parameters: inputSchema,
    })),
    prompts: offer.prompts.map(({ name: prompt, description = "", arguments: list = [] }) => ({
      name: prompt,
      description,
      arguments: list.map((argument) => ({
        name: argument.name,
        description: argument.description ?? "",
        required: argument.required === true,
      })),
    })),
    resources: offer.resources.map(({ uri, name: resource, description = "", mimeType = "" }) => ({
      uri,
      name: resource,
      description,
      mimeType,
    })),
  };
}
