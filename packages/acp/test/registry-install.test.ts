import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isWireError } from "@editwire/core";
import { zipSync } from "fflate";
import { packTar, type TarEntry } from "modern-tar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentCommand, type SpawnedAcpClient, spawnAgent } from "../src/node.js";
import { commands } from "./commands.js";
import { type Answer, fileServer, platform, registryWith } from "./registry-server.js";

const [node, script] = commands.agent;
const program = `#!${node}\nimport(${JSON.stringify(script)});\n`;
const file = (name: string, body = program): TarEntry => ({ header: { name, size: body.length, type: "file" }, body });
const link = (name: string, linkname: string, type: "symlink" | "link" = "symlink"): TarEntry => ({
  header: { name, size: 0, type, linkname },
});
const tar = async (...entries: TarEntry[]): Promise<Uint8Array> => packTar(entries);
const tgz = async (...entries: TarEntry[]): Promise<Uint8Array> => gzipSync(await tar(...entries));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sha256 = (body: Uint8Array): string => createHash("sha256").update(body).digest("hex");

let folder = "";
let agent: SpawnedAcpClient | undefined;
let answers: Map<string, Answer>;
let server: Awaited<ReturnType<typeof fileServer>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agents-"));
  answers = new Map();
  server = await fileServer(answers);
});
afterEach(async () => {
  await agent?.close();
  agent = undefined;
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A registry whose agent is the archive that the server has at a path. */
function offer(path: string, body: Uint8Array, more: { cmd?: string; sha256?: string } = {}) {
  answers.set(path, { body });
  return registryWith({ binary: { [platform]: { archive: `${server.url}${path}`, cmd: "./bin+x/agent", ...more } } });
}

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no error",
    (error: Error) => (isWireError(error) ? `${error.code}: ${error.message}` : String(error)),
  );

describe.skipIf(process.platform === "win32")("a program that is downloaded", () => {
  it.each([
    ["/a.tar.gz", () => tgz(file("bin+x/agent"))],
    ["/a.tgz", () => tgz(link("run", "bin+x/agent"), file("bin+x/agent"))],
    ["/a.zip", async () => zipSync({ "bin+x/": new Uint8Array(), "bin+x/agent": bytes(program) })],
    ["/a.tar.bz2", async () => execFileSync("bzip2", ["-c"], { input: await tar(file("bin+x/agent")) })],
    ["/agent", async () => bytes(program)],
  ])("runs from %s, and is fetched once", async (path, make) => {
    const body = await make();
    const registry = offer(path, body, { sha256: sha256(body).toUpperCase() });
    for (const _ of [1, 2]) {
      agent = await spawnAgent("echo", { registry, folder });
      expect(agent.info.agentInfo?.name).toBe("fixture");
      await agent.close();
    }
    expect(server.asked).toEqual([path]);
    expect(await readdir(join(folder, "echo"))).toEqual([`1.0.0-${platform}`]);
  });

  it("is installed by several processes at once", async () => {
    const registry = offer("/a.tgz", await tgz(file("bin+x/agent")));
    const found = await Promise.all([1, 2, 3].map(() => agentCommand("echo", registry, { folder })));
    expect(new Set(found.map(({ argv }) => argv[0]))).toEqual(
      new Set([join(folder, "echo", `1.0.0-${platform}`, "bin+x/agent")]),
    );
    expect(await readdir(join(folder, "echo"))).toEqual([`1.0.0-${platform}`]);
  });

  const good = file("bin+x/agent");
  it.each([
    ["a path out of the folder", () => tgz(good, file("../evil")), '"../evil", which is outside of its folder'],
    ["an absolute path", () => tgz(good, file("/tmp/evil")), '"/tmp/evil", which is outside of its folder'],
    ["a link out of the folder", () => tgz(good, link("a/b", "../../evil")), '"../evil", which is outside'],
    ["an absolute link", () => tgz(good, link("a", "/etc")), '"/etc", which is outside'],
    ["a hard link out of the folder", () => tgz(good, link("a", "../evil", "link")), '"../evil", which is outside'],
    ["no program", () => tgz(file("other")), "expected bin+x/agent in the archive, which does not have it"],
    ["a folder for a program", () => tgz(file("bin+x/agent/x")), "expected bin+x/agent to be a file of the archive"],
    ["half of its bytes", async () => (await tgz(good)).subarray(0, 60), "the archive cannot be unpacked: "],
    ["something else", async () => bytes("<html>"), "the archive cannot be unpacked: "],
  ])("with %s is refused, and nothing stays", async (_, make, message) => {
    const registry = offer("/a.tgz", await make());
    expect(await failure(agentCommand("echo", registry, { folder }))).toMatch(/^invalid_result: echo: /);
    expect(await failure(agentCommand("echo", registry, { folder }))).toContain(message);
    expect(await readdir(join(folder, "echo"))).toEqual([]);
    expect(await readdir(folder)).toEqual(["echo"]);
  });

  it("with a path out of the folder in a zip is refused", async () => {
    const registry = offer("/a.zip", zipSync({ "bin+x/agent": bytes(program), "..\\evil": bytes("x") }));
    expect(await failure(agentCommand("echo", registry, { folder }))).toContain("which is outside of its folder");
    expect(await readdir(join(folder, "echo"))).toEqual([]);
  });

  it("with another checksum is refused", async () => {
    const body = await tgz(good);
    const registry = offer("/a.tgz", body, { sha256: "0".repeat(64) });
    expect(await failure(agentCommand("echo", registry, { folder }))).toBe(
      `invalid_result: echo: expected an archive with the sha256 ${"0".repeat(64)}, received ${sha256(body)}`,
    );
    expect(await readdir(join(folder, "echo"))).toEqual([]);
  });

  it.each(["../agent", "/bin/sh", "C:\\agent.exe", "."])(
    "with the cmd %s is refused before it is fetched",
    async (cmd) => {
      const registry = offer("/a.tgz", await tgz(good), { cmd });
      expect(await failure(agentCommand("echo", registry, { folder }))).toContain(
        "expected a cmd inside of the archive",
      );
      expect(server.asked).toEqual([]);
    },
  );

  it("that is too large is refused, packed and unpacked", async () => {
    const registry = offer("/a.tgz", await tgz(good, file("zeros", "0".repeat(100_000))));
    expect(await failure(agentCommand("echo", registry, { folder, maxDownloadBytes: 100 }))).toMatch(
      /^too_large: .*larger than 100 bytes$/,
    );
    expect(await failure(agentCommand("echo", registry, { folder, maxDownloadBytes: 50_000 }))).toBe(
      "too_large: echo: its archive unpacks to more than 50000 bytes",
    );
    expect(await readdir(join(folder, "echo"))).toEqual([]);
  });

  it("whose server breaks off is not installed, and the next start fetches it again", async () => {
    const body = await tgz(good);
    const registry = offer("/a.tgz", body);
    answers.set("/a.tgz", { body, breaksAfter: 50, headers: { "content-length": String(body.length) } });
    expect(await failure(agentCommand("echo", registry, { folder }))).toMatch(/^not_connected: http:\/\/127/);
    answers.set("/a.tgz", { body });
    expect((await agentCommand("echo", registry, { folder })).source).toBe("binary");
  });

  it("replaces what is not complete", async () => {
    const place = join(folder, "echo", `1.0.0-${platform}`);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "half"), "");
    const { argv } = await agentCommand("echo", offer("/a.tgz", await tgz(good)), { folder });
    expect(await readFile(argv[0], "utf8")).toBe(program);
    expect(await readdir(place)).toEqual(["bin+x"]);
  });

  it("stops when its caller aborts", async () => {
    const registry = offer("/a.tgz", await tgz(good));
    expect(await failure(agentCommand("echo", registry, { folder, signal: AbortSignal.abort() }))).toMatch(
      /^aborted: /,
    );
    expect(await readdir(join(folder, "echo"))).toEqual([]);
  });
});
