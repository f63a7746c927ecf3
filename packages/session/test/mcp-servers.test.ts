import { expect, it, onTestFinished } from "vitest";
import { McpServers, type McpServersOptions } from "../src/mcp.js";

/** A server that writes to stderr and ends before it is initialized. */
async function startBroken(options: McpServersOptions): Promise<void> {
  const args = ["--eval", 'process.stderr.write("no config")'];
  const address = { type: "stdio" as const, name: "broken", command: process.execPath, args, env: {}, cwd: undefined };
  const servers = new McpServers([address], options, () => {});
  onTestFinished(() => servers.close());
  await servers.started;
}

it.each<[string, () => void]>([
  [
    "throws",
    () => {
      throw new Error("the channel is closed");
    },
  ],
  ["rejects", () => Promise.reject(new Error("the channel is closed"))],
])("reports an onStderr that %s", async (_how, onStderr) => {
  const errors: Error[] = [];
  await startBroken({ onStderr, onError: (error) => void errors.push(error) });
  expect(errors).toMatchObject([
    { message: "onStderr failed for the MCP server broken", cause: { message: "the channel is closed" } },
    { message: expect.stringMatching(/^The MCP server broken failed: /) as string },
  ]);
});

it("starts in spite of an onError that throws", async () => {
  let calls = 0;
  const onError = (): void => {
    calls++;
    throw new Error("the log is full");
  };
  await startBroken({ onError });
  expect(calls).toBe(1);
});
