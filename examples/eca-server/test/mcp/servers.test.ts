import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandIn, queryCommands } from "../../src/commands.js";
import { queryContexts } from "../../src/contexts/query.js";
import { readContexts } from "../../src/contexts/read.js";
import { readMcpConfig } from "../../src/mcp/config.js";
import type { McpServer } from "../../src/mcp/server.js";
import { McpServers } from "../../src/mcp/servers.js";
import { everything, memoryServer } from "../support/mcp.js";
import { signal, sourcesOf } from "../support/sources.js";
import { tempFolder } from "../support/temp-folder.js";

describe("the reference servers", () => {
  const statuses: string[] = [];
  let mcp: McpServers;
  const toolOf = (name: string) => mcp.tools.find(({ callName }) => callName === name) as (typeof mcp.tools)[number];

  beforeAll(async () => {
    const broken = { name: "broken", command: "no-such-program", args: [], env: {}, disabled: false };
    const resting = { ...everything, name: "resting", disabled: true };
    mcp = new McpServers(
      [everything, broken, resting],
      ({ config, status }) => statuses.push(`${config.name} ${status}`),
      () => {},
    );
    await mcp.startAll();
  });
  afterAll(() => mcp.close());

  it("start, all but the disabled, and a failure concerns one alone", () => {
    expect(statuses.filter((status) => status.startsWith("everything"))).toEqual([
      "everything starting",
      "everything running",
    ]);
    expect(statuses.filter((status) => status.startsWith("broken"))).toEqual(["broken starting", "broken failed"]);
    expect(mcp.all.map(({ status }) => status)).toEqual(["running", "failed", "disabled"]);
    expect(mcp.all[1]?.failure).toContain("ENOENT");
  });

  it("have tools that can be called, and that say when they fail", async () => {
    expect(await mcp.call(toolOf("everything__echo"), { message: "Grüße" }, signal)).toEqual({
      text: "Echo: Grüße",
      error: false,
    });
    expect(await mcp.call(toolOf("everything__echo"), { message: 1 }, signal)).toMatchObject({ error: true });
    expect(await mcp.call(toolOf("everything__get-tiny-image"), {}, signal)).toMatchObject({
      text: expect.stringContaining("[image/png]"),
    });
  });

  it("have prompts that are commands", async () => {
    const commands = queryCommands("everything:", mcp);
    expect(commands).toEqual(
      expect.arrayContaining([
        { name: "everything:simple-prompt", description: expect.any(String), type: "mcpPrompt", arguments: [] },
        expect.objectContaining({
          name: "everything:args-prompt",
          arguments: [
            { name: "city", description: expect.any(String), required: true },
            { name: "state", description: expect.any(String), required: false },
          ],
        }),
      ]),
    );
    const call = commandIn('/everything:args-prompt "New York" NY', mcp);
    expect(call).toEqual({
      type: "prompt",
      server: "everything",
      name: "args-prompt",
      args: { city: "New York", state: "NY" },
    });
    expect(await mcp.prompt("everything", "args-prompt", { city: "New York", state: "NY" }, signal)).toContain(
      "New York, NY",
    );
    expect(() => commandIn("/everything:args-prompt", mcp)).toThrow("/everything:args-prompt needs city");
  });

  it("have resources that are contexts", async () => {
    const sources = { ...(await sourcesOf()), mcp };
    const [first] = await queryContexts("architecture", sources, signal);
    expect(first).toMatchObject({
      type: "mcpResource",
      server: "everything",
      mimeType: "text/markdown",
      name: "architecture.md",
    });
    const [part] = await readContexts(first === undefined ? [] : [first], sources, signal);
    expect(part).toMatchObject({
      text: expect.stringMatching(/^architecture\.md \(demo:.* of everything\):\n\n[^]*Architecture/),
    });
  });

  it("S38: stop, start again, and do not mind being told twice", async () => {
    const before = statuses.length;
    await mcp.stop("everything");
    expect(mcp.tools).toEqual([]);
    expect(queryCommands("everything", mcp)).toEqual([]);
    await mcp.start("nobody");
    await mcp.stop("nobody");
    await Promise.all([
      mcp.start("everything"),
      mcp.stop("everything"),
      mcp.start("everything"),
      mcp.start("everything"),
    ]);
    expect(statuses.slice(before).map((status) => status.replace("everything ", ""))).toEqual([
      "stopped",
      "starting",
      "running",
      "stopped",
      "starting",
      "running",
      "running",
    ]);
    expect(await mcp.call(toolOf("everything__echo"), { message: "again" }, signal)).toMatchObject({
      text: "Echo: again",
    });
  });
});

it("a server that ends by itself has failed, and can be started again", async () => {
  const statuses: string[] = [];
  const folder = await tempFolder();
  let fail = (): void => {};
  const failed = new Promise<void>((resolve) => (fail = resolve));
  const onUpdate = ({ status }: { status: string }): void => {
    statuses.push(status);
    if (status === "failed") fail();
  };
  const mcp = new McpServers([memoryServer(join(folder, "memory.json"))], onUpdate, () => {});
  await mcp.startAll();
  const create = mcp.tools.find(({ tool }) => tool.name === "create_entities");
  expect(create).toBeDefined();
  const { pid } = (mcp.running[0] as McpServer).client.transport as unknown as { pid: number };
  process.kill(pid, "SIGKILL");
  await failed;
  await expect(mcp.call(create as never, {}, signal)).rejects.toThrow("The MCP server memory is failed");
  await mcp.start("memory");
  expect(statuses).toEqual(["starting", "running", "failed", "starting", "running"]);
  await mcp.close();
});

describe("the configuration", () => {
  it("is read, with what may be left out", async () => {
    const folder = await tempFolder({
      "mcp.json":
        '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","args":["-v"],"env":{"my-Key":"1"},"disabled":true}},"other":1}',
    });
    expect(await readMcpConfig(join(folder, "mcp.json"))).toEqual([
      { name: "a", command: "x", args: [], env: {}, disabled: false },
      { name: "b", command: "y", args: ["-v"], env: { "my-Key": "1" }, disabled: true },
    ]);
  });

  it("says what does not fit", async () => {
    const folder = await tempFolder({ "mcp.json": '{"mcpServers":{"a":{"args":[]}}}' });
    await expect(readMcpConfig(join(folder, "mcp.json"))).rejects.toThrow(/mcp\.json: .*command/s);
  });
});
