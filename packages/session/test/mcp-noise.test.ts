import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { McpServers } from "../src/mcp.js";

const program = fileURLToPath(new URL("fixtures/noisy-mcp-server.mjs", import.meta.url));

/** Starts a server that writes `noise` without a line break before its answers to `method`. */
async function start(noise: string, method: string): Promise<{ servers: McpServers; errors: string[] }> {
  const errors: string[] = [];
  const address = { type: "stdio", name: "noisy", command: process.execPath, args: [program, noise, method] } as const;
  const options = { startTimeoutMs: 10_000, onError: ({ message }: Error) => void errors.push(message) };
  const servers = new McpServers([{ ...address, env: {} }], options, () => {});
  onTestFinished(() => servers.close());
  await servers.started;
  return { servers, errors };
}

const call = (servers: McpServers): Promise<unknown> =>
  servers.call("noisy__look", {}, { signal: new AbortController().signal });

it.each(["initialize", "tools/list", "tools/call"])(
  "reads the answer to %s behind noise without a line break",
  async (method) => {
    const { servers, errors } = await start("\u001b]0;server\u0007", method);
    expect(await call(servers)).toMatchObject({ content: [{ type: "text", text: "seen" }] });
    expect(errors).toEqual([]);
  },
);

it("fails a call at once when its answer cannot be read", async () => {
  const { servers } = await start("NaN", "tools/call");
  await expect(call(servers)).rejects.toThrow("the answer cannot be read: the message is not readable as JSON");
  expect(await call(servers)).toMatchObject({ content: [{ text: "seen" }] }); // it breaks the first one only
});
