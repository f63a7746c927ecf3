import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AcpClientOptions, AcpToolCallState } from "@editwire/acp";
import { nodeFileSystem, nodeTerminals, spawnAcp } from "@editwire/acp/node";
import { spawnEca } from "@editwire/eca/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const programs = await bundle(import.meta.url, {
  agent: "fixtures/editor-services-agent.ts",
  undeclared: "fixtures/undeclared-agent.ts",
  gateway: "fixtures/matrix-gateway.ts",
});
let folder = "";
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "editwire-")));
  await writeFile(join(folder, "a.txt"), "one\ntwo\nthree\n");
});
afterAll(() => rm(folder, { recursive: true }));

const gatewayTo = (editor: string, agent: string): string[] => [
  ...[process.execPath, programs.gateway ?? "", editor, "acp-v1"],
  ...[process.execPath, agent, folder],
];
const env = (): Record<string, string> => ({ MATRIX_REPORTS: join(folder, "reports") });

/** One turn as an editor of ACP with these services shows it. */
async function turnIn(
  services: Pick<AcpClientOptions, "fs" | "terminals">,
  agent = programs.agent ?? "",
): Promise<{ text: string; calls: AcpToolCallState[] }> {
  const client = await spawnAcp(gatewayTo("acp-v1", agent), { env: env(), ...services, onError: () => {} });
  try {
    const session = await client.newSession({ cwd: folder });
    let text = "";
    const calls: AcpToolCallState[] = [];
    for await (const event of session.prompt("go")) {
      if (event.type === "text") text += event.text;
      if (event.type === "tool_call") calls.push(event.toolCall);
    }
    return { text, calls };
  } finally {
    await client.close();
  }
}

it("lends the editor's files and terminals to the agent behind a gateway", async () => {
  const shown: string[] = [];
  const terminals = nodeTerminals({ onOutput: ({ terminalId }) => shown.push(terminalId) });
  const { text, calls } = await turnIn({ fs: nodeFileSystem(), terminals });
  expect(text.split("\n").filter((line) => line !== "")).toEqual([
    'offered: {"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}',
    "read: two",
    "exit 0: it-ran",
    "refused: the file does not exist",
  ]);
  expect(await readFile(join(folder, "b.txt"), "utf8")).toBe("written");
  const contents = calls.flatMap(({ content }) => content);
  expect(contents).toContainEqual({ type: "terminal", terminalId: shown[0] });
});

it("declares to the agent what the editor declares, and no more", async () => {
  const { text } = await turnIn({ fs: { readTextFile: async () => ({ content: "two\n" }) } });
  expect(text).toContain('offered: {"fs":{"readTextFile":true,"writeTextFile":false}}');
  expect(text).toMatch(/read: two[^]*refused: .*fs\.writeTextFile/);
});

it("refuses what an agent asks of an editor that has no files, with the capability's name", async () => {
  const { text } = await turnIn({}, programs.undeclared);
  expect(JSON.parse(text)).toMatchObject({ code: -32601, data: { capability: "fs.readTextFile" } });
});

it("refuses it for an editor whose protocol has no files", async () => {
  const client = await spawnEca(gatewayTo("eca", programs.undeclared ?? ""), {
    env: env(),
    workspaceFolders: [{ name: "p", uri: `file://${folder}` }],
    onError: () => {},
  });
  let text = "";
  for await (const event of client.newSession().prompt("go")) if (event.type === "text") text += event.text;
  await client.close();
  expect(JSON.parse(text)).toMatchObject({ code: -32601, data: { capability: "fs.readTextFile" } });
});
