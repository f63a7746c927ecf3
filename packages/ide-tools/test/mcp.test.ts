import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, it, onTestFinished } from "vitest";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { mcpServer } from "../src/mcp.js";
import { openIdeTools } from "../src/tools.js";
import { tempFolder } from "./support/temp-folder.js";

const { bin } = await bundle(
  import.meta.url,
  { bin: "../src/bin.ts", "call-chain/index-worker": "../src/call-chain/index-worker.ts", ...toolWorker },
  { external: ["web-tree-sitter"] },
);

const info = { name: "test", version: "1.0.0" };

it("the official client lists and calls the four tools of the program", async () => {
  const root = await tempFolder({ "A.java": "class A {\n  void run() { stop(); }\n  void stop() {}\n}\n" });
  const client = new Client(info);
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin, "mcp", root] }));
  const call = (name: string, params: Record<string, unknown>) => client.callTool({ name, arguments: params });

  const { tools } = await client.listTools();
  expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
    ["grep_file", ["pattern"]],
    ["read_file", ["relativePath"]],
    ["call_chain", ["method"]],
    ["apply_change", ["relativePath", "replaceContent"]],
  ]);
  expect(tools[0]?.inputSchema.properties).toMatchObject({
    ...{ pattern: { type: "string", maxLength: 10_000 }, regex: { type: "boolean" } },
    ...{ limit: { type: "integer", minimum: 1, maximum: 1000 }, context_lines: { maximum: 1000 } },
  });

  expect(await call("call_chain", { method: "A.stop", direction: "callers" })).toMatchObject({
    content: [{ type: "text", text: expect.stringContaining("- `A.run` — A.java:2") }],
  });
  const change = { relativePath: "A.java", searchContent: "stop();", replaceContent: "halt();" };
  expect((await call("apply_change", change)).isError).toBeUndefined();
  expect(await readFile(join(root, "A.java"), "utf8")).toContain("run() { halt(); }");
  expect(await call("read_file", { relativePath: "A.java", line: 2, context_lines: 0 })).toMatchObject({
    content: [{ text: expect.stringContaining("   2 >>>   void run() { halt(); }") }],
  });
  expect(await call("read_file", { relativePath: "../A.java" })).toMatchObject({
    isError: true,
    content: [{ text: "../A.java is outside the workspace" }],
  });
  expect(await call("grep_file", {})).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("pattern") }],
  });
  await expect(call("rm", {})).rejects.toThrow(/the tool rm does not exist/);
});

it("what a tool throws by mistake stays in the server", async () => {
  const errors: unknown[] = [];
  const broken = {
    ...(await openIdeTools(await tempFolder())),
    read_file: () => Promise.reject(new TypeError("internal")),
  };
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client(info);
  onTestFinished(() => client.close());
  await Promise.all([
    mcpServer(broken, { onError: (error) => errors.push(error) }).connect(there),
    client.connect(here),
  ]);
  const result = await client.callTool({ name: "read_file", arguments: { relativePath: "a" } });
  expect(result).toEqual({ content: [{ type: "text", text: "read_file failed" }], isError: true });
  expect(errors).toEqual([expect.any(TypeError)]);
});

it("the program names a folder that does not exist", async () => {
  const run = promisify(execFile)(process.execPath, [bin, "mcp", "/no/folder"]);
  await expect(run).rejects.toMatchObject({ code: 1, stderr: "The folder /no/folder does not exist\n" });
});
