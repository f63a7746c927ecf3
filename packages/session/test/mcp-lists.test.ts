import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { McpServers } from "../src/mcp.js";

const program = fileURLToPath(new URL("fixtures/odd-mcp-server.mjs", import.meta.url));

/** Starts a server of the official SDK that lists its tools as the scenario says. */
async function start(scenario: string): Promise<{ servers: McpServers; errors: string[] }> {
  const errors: string[] = [];
  const address = {
    type: "stdio",
    name: "odd",
    command: process.execPath,
    args: [program, scenario],
    env: {},
  } as const;
  const servers = new McpServers([address], { onError: ({ message }) => void errors.push(message) }, () => {});
  onTestFinished(() => servers.close());
  await servers.started;
  return { servers, errors };
}

const names = ({ tools }: McpServers): string[] => tools.map(({ tool }) => tool.name);

it.each([
  ["repeats its cursor", ["a"]],
  ["alternates cursors", ["a"]],
  ["has an empty cursor", ["a"]],
  ["has null as the cursor", ["a"]],
  ["has two pages", ["a", "b"]],
])("lists each tool of a server once that %s", async (scenario, expected) => {
  const { servers, errors } = await start(scenario);
  expect(names(servers)).toEqual(expected);
  expect(errors).toEqual([]);
});

it("skips the tools that do not fit, says why by their names, and uses the others", async () => {
  const { servers, errors } = await start("has tools that do not fit");
  expect(names(servers)).toEqual(["a", "b"]);
  expect(errors).toEqual([
    'The MCP server odd: the tool "list" is skipped: inputSchema.type: expected "object", received the string "array"',
    'The MCP server odd: the tool "none" is skipped: inputSchema: expected a JSON Schema, received undefined',
    'The MCP server odd: the tool "deep" is skipped: ' +
      'inputSchema.properties.path: expected a JSON Schema, received the string "string"',
    'The MCP server odd: the tool "out" is skipped: outputSchema.type: expected "object", received the string "string"',
    "The MCP server odd: the tool number 6 is skipped: name: expected a text, received undefined",
  ]);
  const { signal } = new AbortController();
  expect(await servers.call("odd__b", {}, { signal })).toMatchObject({ content: [{ text: "b" }] });
});
