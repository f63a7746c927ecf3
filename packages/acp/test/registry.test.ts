import { chmod, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isWireError } from "@editwire/core";
import { registryOf } from "@editwire/acp-schema/registry";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentCommand, readRegistry, type SpawnedAcpClient, spawnAgent } from "../src/node.js";
import { commands } from "./commands.js";
import { type Answer, fileServer, platform, registryWith } from "./registry-server.js";

const entry = { id: "echo", name: "Echo", version: "1.0.0", distribution: { npx: { package: "echo-agent@1.0.0" } } };
const text = JSON.stringify({ version: "1.0.0", agents: [entry, { id: "broken" }] });

let folder = "";
let agent: SpawnedAcpClient | undefined;
let answers: Map<string, Answer>;
let server: Awaited<ReturnType<typeof fileServer>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "registry-"));
  answers = new Map([["/registry.json", { body: text }]]);
  server = await fileServer(answers);
});
afterEach(async () => {
  await agent?.close();
  agent = undefined;
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no error",
    (error: Error) => (isWireError(error) ? `${error.code}: ${error.message}` : `${error.name}: ${error.message}`),
  );

describe("a registry", () => {
  it("is read from a path, a file: URL and a server, with what does not fit by its name", async () => {
    const path = join(folder, "registry.json");
    await writeFile(path, text);
    for (const from of [
      path,
      pathToFileURL(path),
      `${server.url}/registry.json`,
      new URL(`${server.url}/registry.json`),
    ])
      expect(await readRegistry(from)).toMatchObject({ agents: [entry], leftOut: [{ id: "broken" }] });
  });

  it("comes from its cache while that is fresh, and from an old one if there is no server", async () => {
    const cacheFile = join(folder, "cache", "registry.json");
    const read = () => readRegistry(`${server.url}/registry.json`, { cacheFile });
    expect(await read()).not.toHaveProperty("stale");
    answers.set("/registry.json", { body: JSON.stringify({ agents: [{ ...entry, name: "New" }] }) });
    expect((await read()).agents).toMatchObject([{ name: "Echo" }]);
    await utimes(cacheFile, 0, 0);
    expect((await read()).agents).toMatchObject([{ name: "New" }]);
    expect(server.asked).toHaveLength(2);
    await utimes(cacheFile, 0, 0);
    answers.set("/registry.json", { status: 503 });
    expect(await read()).toMatchObject({ agents: [{ name: "New" }], stale: expect.stringContaining("status 503") });
    answers.set("/registry.json", { body: "<html>" });
    expect(await read()).toMatchObject({ agents: [{ name: "New" }], stale: expect.stringContaining("JSON") });
    expect(JSON.parse(await readFile(cacheFile, "utf8"))).toMatchObject({ agents: [{ name: "New" }] });
  });

  it("is not fetched without encryption from another machine, nor from where a server sends to", async () => {
    expect(await failure(readRegistry("http://registry.invalid/r.json"))).toBe(
      "not_connected: http://registry.invalid/r.json: expected an https: URL",
    );
    answers.set("/registry.json", {
      status: 302,
      headers: { location: "http://registry.invalid/r.json?token=secret" },
    });
    expect(await failure(readRegistry(`${server.url}/registry.json`))).toBe(
      "not_connected: http://registry.invalid/r.json: expected an https: URL",
    );
    answers.set("/registry.json", { status: 302, headers: { location: "/registry.json" } });
    expect(await failure(readRegistry(`${server.url}/registry.json`))).toContain("more than 5 redirects");
  });

  it("that is missing, or none, is an error that names it", async () => {
    expect(await failure(readRegistry(`${server.url}/other.json`))).toContain("expected a file, received status 404");
    expect(await failure(readRegistry(join(folder, "none.json")))).toContain("ENOENT");
    answers.set("/registry.json", { body: "[]" });
    expect(await failure(readRegistry(`${server.url}/registry.json`))).toContain("TypeError: expected a registry");
  });
});

describe("the command of an agent", () => {
  it.each([
    [{ npx: { package: "@x/a@1.0.0", args: ["--acp", "a b"] } }, ["npx", "-y", "@x/a@1.0.0", "--acp", "a b"]],
    [{ npx: { package: "@x/a", cmd: "a-acp", args: ["x"] } }, ["npx", "-y", "--package", "@x/a", "a-acp", "x"]],
    [{ uvx: { package: "a==1.0.0", args: ["serve"] } }, ["uvx", "a==1.0.0", "serve"]],
    [{ uvx: { package: "a", cmd: "b" } }, ["uvx", "--from", "a", "b"]],
    [{ uvx: { package: "a" }, npx: { package: "b" } }, ["npx", "-y", "b"]],
  ])("%j is started by its argv", async (distribution, argv) => {
    const env = { TOKEN: "x" };
    const [[way, start]] = Object.entries(distribution) as [[string, object]];
    const registry = registryWith({ ...distribution, [way]: { ...start, env } });
    expect((await agentCommand("echo", registry)).argv).toEqual(argv);
  });

  it("is the way that is preferred", async () => {
    const registry = registryWith({ uvx: { package: "a", env: { A: "1" } }, npx: { package: "b" } });
    expect(await agentCommand("echo", registry, { prefer: ["uvx"] })).toEqual({
      source: "uvx",
      argv: ["uvx", "a"],
      env: { A: "1" },
    });
  });

  it("of an unknown id names those that look like it", async () => {
    const registry = registryOf({ agents: ["gemini", "gemini-two", "codex"].map((id) => ({ ...entry, id })) });
    expect(await failure(agentCommand("gemni", registry))).toBe(
      'invalid_params: the registry has no agent "gemni"; did you mean gemini?',
    );
    expect(await failure(agentCommand("Gemini", registry))).toContain("did you mean gemini or gemini-two?");
    expect(await failure(agentCommand("zzz", registry))).toBe('invalid_params: the registry has no agent "zzz"');
  });

  it("of an entry that was left out says why", async () => {
    const registry = registryOf({ agents: [{ ...entry, version: 1 }] });
    expect(await failure(agentCommand("echo", registry))).toBe(
      "invalid_params: the registry's entry of echo does not fit: echo.version: expected string, received number",
    );
  });

  it("for another platform says what there is", async () => {
    const other = { archive: "https://x.example/a", cmd: "a" };
    const registry = registryWith({ binary: { "plan9-mips": other }, docker: { image: "a" } });
    expect(await failure(agentCommand("echo", registry))).toBe(
      `invalid_params: echo does not run here, on ${platform}: it is offered as docker; a program for plan9-mips`,
    );
  });
});

describe.skipIf(process.platform === "win32")("an agent of a registry", () => {
  it("is started through npx with its arguments and variables, without a shell", async () => {
    const seen = join(folder, "seen");
    const npx = join(folder, "npx");
    const [node, program] = commands.agent;
    await writeFile(npx, `#!/bin/sh\nprintf '%s\\n' "$@" "$TOKEN" "$OTHER" > '${seen}'\nexec '${node}' '${program}'\n`);
    await chmod(npx, 0o755);
    const start = { package: "a@1.0.0", args: ["$HOME; exit"], env: { TOKEN: "entry", OTHER: "entry" } };
    agent = await spawnAgent("echo", {
      registry: registryWith({ npx: start }),
      env: { PATH: `${folder}${delimiter}${process.env["PATH"]}`, OTHER: "caller" },
    });
    expect(agent.info.agentInfo?.name).toBe("fixture");
    expect(await readFile(seen, "utf8")).toBe("-y\na@1.0.0\n$HOME; exit\nentry\ncaller\n");
  });

  it("is found in the registry at a URL", async () => {
    expect(await failure(spawnAgent("ecko", { registry: `${server.url}/registry.json` }))).toContain(
      "did you mean echo?",
    );
  });
});
