import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Configuration, KaiakClient, KaiakQuestion } from "@editwire/kaiak";
import { dialKaiak, spawnKaiak } from "@editwire/kaiak/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { fix, only } from "./support/fix.js";
import { compile, jdk, runMain } from "./support/java.js";
import { converter, copyProject, fingerprint, incidentAt, type Project } from "./support/project.js";
import { serverCommand, serverEnv, startSocketServer, temporaryFolder } from "./support/server-process.js";

const server = await startSocketServer();

async function dial(): Promise<KaiakClient> {
  const client = await dialKaiak(server.socket);
  onTestFinished(() => client.close());
  return client;
}

/** A client of the socket server with a copy of the sample. */
async function start(parts: Omit<Configuration, "workspace"> & { workspace?: object } = {}) {
  const project = await copyProject();
  const client = await dial();
  await configure(client, project, parts);
  return { project, client, session: client.newSession() };
}

function configure(client: KaiakClient, { folder }: Project, parts: object = {}) {
  const { workspace, ...rest } = { workspace: {}, ...parts };
  return client.configure({ workspace: { working_dir: folder, ...workspace }, ...rest });
}

const approve = (): string => "approve";
const both = [incidentAt(converter), incidentAt(fingerprint)];

const transports: Readonly<Record<string, () => Promise<KaiakClient>>> = {
  async stdio() {
    const client = await spawnKaiak(serverCommand, { env: serverEnv(temporaryFolder()) });
    onTestFinished(() => client.close());
    return client;
  },
  "a Unix socket": dial,
};

it.each(Object.entries(transports))("fixes what the user approves, on %s", async (_name, open) => {
  const project = await copyProject();
  const before = await project.read(fingerprint);
  const client = await open();
  await configure(client, project);
  const answer = ({ prompt }: KaiakQuestion): string => (prompt.includes("DataConverter") ? "approve" : "deny");
  const run = await fix(client.newSession(), both, answer);
  expect(run.status).toBe("completed");

  const [first, second] = only(run, "file_modification").map(({ modification }) => modification);
  expect(first).toMatchObject({
    file_path: converter,
    operation: "modify",
    risk_level: "low",
    requires_approval: true,
  });
  expect(first?.diff).toMatch(
    /^@@ -1,17 \+1,17 @@\n[^]*-import javax.xml.bind.DatatypeConverter;\n\+import java.util.Base64;\n/,
  );
  expect(second).toMatchObject({ file_path: fingerprint });
  expect(run.questions).toMatchObject([
    { type: "file_approval", prompt: "Apply this fix to DataConverter.java?", defaultResponse: "deny" },
    { type: "file_approval", prompt: "Apply this fix to Fingerprint.java?" },
  ]);
  expect(await project.read(converter)).toContain("Base64.getEncoder().encodeToString");
  expect(await project.read(converter)).not.toContain("DatatypeConverter");
  expect(await project.read(fingerprint)).toBe(before);

  const calls = only(run, "tool_call").map(({ toolCall: { name, status } }) => `${name} ${status}`);
  expect(calls.filter((call) => !/pending|in_progress/.test(call))).toEqual([
    "read_file completed",
    "write_file completed",
    "read_file completed",
    "write_file rejected",
  ]);
  const progress = only(run, "progress").map(({ progress: { percentage, phase } }) => [percentage, phase]);
  expect(progress).toEqual([
    [0, "preparing"],
    [5, "fixing_incidents"],
    [50, "fixing_incidents"],
    [100, "completed"],
  ]);
  const thoughts = only(run, "thought").map(({ text }) => text);
  expect(thoughts.join("")).toContain(`${fingerprint} uses a class that left Java`);
  const texts = only(run, "text");
  expect(texts.map(({ text }) => text).join("")).toContain(
    `You rejected the change, so ${fingerprint} stays as it is.`,
  );
  expect(texts.at(-1)?.partial).toBe(false);
  expect(only(run, "system").at(-1)?.system.message).toMatch(
    /^1 file changed, 1 tool call refused; the originals are in /,
  );
});

const withoutJdk = jdk !== undefined && jdk >= 17 ? "" : ` (skipped: needs a JDK from 17 on; found ${jdk ?? "none"})`;

it.skipIf(withoutJdk !== "")(`makes the sample compile and run on Java 17${withoutJdk}`, async () => {
  const { project, session } = await start();
  expect(compile(project.folder)).toMatch(/package javax\.xml\.bind does not exist/);
  expect((await fix(session, both, approve)).status).toBe("completed");
  expect(compile(project.folder)).toBeUndefined();
  expect(runMain(project.folder, "com.example.Main")).toBe(
    "R3LDvMOfZSwgMTIg4oKs\n11\n5C5084161E2BC7E1F362C4A023085CFCEF2D9237627E599FE47487A9B9635EB3\n",
  );
});

describe("tool permissions", () => {
  it("that deny keep the tool from running", async () => {
    const { project, session } = await start({ permissions: { tool_permissions: { write_file: "deny" } } });
    const before = await project.read(converter);
    const run = await fix(session, [incidentAt(converter)], approve);
    expect(run.status).toBe("completed");
    expect(run.questions).toEqual([]);
    expect(only(run, "file_modification")).toEqual([]);
    expect(only(run, "tool_call").at(-1)?.toolCall).toMatchObject({ name: "write_file", status: "rejected" });
    expect(await project.read(converter)).toBe(before);
  });

  it("that allow let it run without a question", async () => {
    const { project, session } = await start({ permissions: { tool_permissions: { write_file: "allow" } } });
    const run = await fix(session, [incidentAt(converter)], approve);
    expect(run.questions).toEqual([]);
    expect(only(run, "file_modification")).toMatchObject([{ modification: { requires_approval: false } }]);
    expect(await project.read(converter)).not.toContain("DatatypeConverter");
  });

  it("that approve ask before a tool that changes nothing, too", async () => {
    const { session } = await start({ permissions: { tool_permissions: { read_file: "approve" } } });
    const run = await fix(session, [incidentAt(converter)], () => "deny");
    expect(run.questions).toMatchObject([{ type: "tool_permission", prompt: `Read ${converter}?` }]);
    expect(only(run, "tool_call").at(-1)?.toolCall).toMatchObject({ name: "read_file", status: "rejected" });
  });
});

describe("the workspace", () => {
  it("has no file that an exclude pattern names, or that no include pattern does", async () => {
    const { project, client, session } = await start({ workspace: { exclude_patterns: ["**/Data*.java"] } });
    const excluded = await fix(session, both, approve);
    expect(only(excluded, "error")).toMatchObject([
      {
        error: {
          error_code: "WORKSPACE_ACCESS_DENIED",
          recoverable: true,
          details: expect.stringContaining(converter),
        },
      },
    ]);
    expect(only(excluded, "file_modification")).toMatchObject([{ modification: { file_path: fingerprint } }]);
    expect(await project.read(converter)).toContain("DatatypeConverter");

    await configure(client, project, { workspace: { include_patterns: ["**/*.xml"] } });
    const searched = await fix(client.newSession(), [incidentAt(undefined)], approve);
    expect(
      only(searched, "text")
        .map(({ text }) => text)
        .join(""),
    ).toContain("I find no Java file");
    expect(await project.read(converter)).toContain("DatatypeConverter");
  });

  it("is searched for an incident that names no file", async () => {
    const { project, session } = await start();
    const run = await fix(session, [incidentAt(undefined)], approve);
    expect(only(run, "file_modification").map(({ modification }) => modification.file_path)).toEqual([
      converter,
      fingerprint,
    ]);
    expect(await project.read(fingerprint)).toContain("HexFormat.of().withUpperCase().formatHex");
  });

  it("ends at its folder: paths, URIs and links that lead out are refused", async () => {
    const outside = await copyProject();
    const secret = await outside.read(converter);
    const { project, session } = await start();
    await symlink(join(outside.folder, converter), join(project.folder, "Link.java"));
    const uris = ["../Secret.java", pathToFileURL(join(outside.folder, converter)).href, "Link.java", "src/None.java"];
    const run = await fix(session, uris.map(incidentAt), approve);
    expect(run.status).toBe("failed");
    expect(only(run, "error").map(({ error }) => error.message)).toEqual([
      expect.stringContaining("is outside of the workspace"),
      expect.stringContaining("is outside of the workspace"),
      "Link.java is outside of the workspace",
      "There is no file src/None.java",
    ]);
    expect(await outside.read(converter)).toBe(secret);
  });

  it("takes absolute file URIs of its own files", async () => {
    const { project, session } = await start();
    const run = await fix(session, [incidentAt(pathToFileURL(join(project.folder, converter)).href)], approve);
    expect(only(run, "file_modification")).toMatchObject([{ modification: { file_path: converter } }]);
  });
});

describe("options", () => {
  it("auto_apply_safe_fixes applies small changes without a question, and asks before others", async () => {
    const { project, session } = await start();
    const line = "    DatatypeConverter.printHexBinary(new byte[0]);\n";
    await mkdir(join(project.folder, "big"));
    await writeFile(join(project.folder, "big/Big.java"), `class Big {\n  void run() {\n${line.repeat(8)}  }\n}\n`);
    const incidents = [incidentAt(converter), incidentAt("big/Big.java")];
    const run = await fix(session, incidents, () => "deny", { auto_apply_safe_fixes: true });
    expect(only(run, "file_modification").map(({ modification }) => modification)).toMatchObject([
      { file_path: converter, risk_level: "low", requires_approval: false },
      { file_path: "big/Big.java", risk_level: "medium", requires_approval: true },
    ]);
    expect(run.questions).toHaveLength(1);
    expect(await project.read(converter)).not.toContain("DatatypeConverter");
    expect(await project.read("big/Big.java")).toContain("DatatypeConverter");
  });

  it("include_explanations: false keeps the model's words back", async () => {
    const { session } = await start();
    const run = await fix(session, [incidentAt(converter)], approve, { include_explanations: false });
    expect([...only(run, "text"), ...only(run, "thought")]).toEqual([]);
    expect(only(run, "file_modification")).toHaveLength(1);
  });

  it("max_processing_time ends a run that waits for the user, and the session is free", async () => {
    const { project, session } = await start();
    const before = await project.read(converter);
    const run = await fix(session, [incidentAt(converter)], () => undefined, { max_processing_time: 1 });
    expect(run.status).toBe("failed");
    expect(only(run, "error").at(-1)?.error).toMatchObject({ error_code: "PROCESSING_TIMEOUT", recoverable: false });
    expect(await project.read(converter)).toBe(before);
    expect((await fix(session, [incidentAt(converter)], approve)).status).toBe("completed");
  });

  it("parallel_processing asks about several files at once", async () => {
    const { project, session } = await start();
    const open: string[] = [];
    let release = (): void => {};
    const allAsked = new Promise<void>((resolve) => (release = resolve));
    const turn = session.generateFix(both, { options: { parallel_processing: true } });
    for await (const event of turn) {
      if (event.type !== "question") continue;
      if (open.push(event.question.prompt) === 2) release();
      void allAsked.then(() => event.respond("approve"));
    }
    expect(open.sort()).toEqual(["Apply this fix to DataConverter.java?", "Apply this fix to Fingerprint.java?"]);
    expect(await project.read(converter)).not.toContain("DatatypeConverter");
    expect(await project.read(fingerprint)).not.toContain("DatatypeConverter");
  });

  it("edit asks what should be different, and tells the model", async () => {
    const { project, session } = await start();
    const answer = ({ type }: KaiakQuestion): string => (type === "text_input" ? "Use Guava" : "edit");
    const run = await fix(session, [incidentAt(converter)], answer);
    expect(run.questions.map(({ type }) => type)).toEqual(["file_approval", "text_input"]);
    expect(
      only(run, "text")
        .map(({ text }) => text)
        .join(""),
    ).toContain("The user wants a different change: Use Guava");
    expect(await project.read(converter)).toContain("DatatypeConverter");
  });

  it("max_tool_calls bounds the tool calls of a run", async () => {
    const { project, session } = await start({ tools: { max_tool_calls: 1 } });
    const run = await fix(session, [incidentAt(converter)], approve);
    expect(new Set(only(run, "tool_call").map(({ toolCall }) => toolCall.name))).toEqual(new Set(["read_file"]));
    expect(await project.read(converter)).toContain("DatatypeConverter");
  });
});

describe("the end of a run", () => {
  it("by cancel leaves the files as they are", async () => {
    const { project, session } = await start();
    const before = await project.read(converter);
    const turn = session.generateFix([incidentAt(converter)]);
    for await (const event of turn) if (event.type === "question") await turn.cancel();
    expect((await turn.result).status).toBe("cancelled");
    expect(await project.read(converter)).toBe(before);
    expect(readdirSync(join(project.folder, "src/main/java/com/example"))).toHaveLength(3);
  });

  it("by a forced deletion from another client cancels it first", async () => {
    const { project, session } = await start();
    const other = await dial();
    const turn = session.generateFix([incidentAt(converter)]);
    const same = other.newSession({ sessionId: session.id });
    let deleted: unknown;
    for await (const event of turn) {
      if (event.type !== "question") continue;
      await expect(same.delete()).rejects.toMatchObject({ code: -32016 });
      deleted = await same.delete({ force: true });
    }
    expect((await turn.result).status).toBe("cancelled");
    expect(deleted).toMatchObject({ status: "deleted", cleanup_summary: { session_removed: true } });
    expect(await project.read(converter)).toContain("DatatypeConverter");
  });

  it.each([true, false])("keeps the originals until the session is deleted with cleanup_files: %s", async (cleanup) => {
    const { project, session } = await start();
    const before = await project.read(converter);
    const run = await fix(session, [incidentAt(converter)], approve);
    const folder = /originals are in (.*)$/.exec(only(run, "system").at(-1)?.system.message ?? "")?.[1] ?? "";
    expect(folder.startsWith(server.temporary)).toBe(true);
    expect(await readFile(join(folder, "1-DataConverter.java"), "utf8")).toBe(before);
    const { cleanup_summary } = await session.delete({ cleanupFiles: cleanup });
    expect(cleanup_summary).toMatchObject({ temp_files_removed: cleanup ? 1 : 0, errors: [] });
    expect(existsSync(folder)).toBe(!cleanup);
  });
});

it("refuses a configuration that it cannot use, and says what it does not use", async () => {
  const project = await copyProject();
  const client = await dial();
  await expect(client.configure({ workspace: { working_dir: "." } })).rejects.toMatchObject({
    code: -32014,
    data: { field: "workspace.working_dir" },
  });
  await expect(configure(client, project, { workspace: { include_patterns: [""] } })).rejects.toMatchObject({
    code: -32014,
    data: { field: "workspace.include_patterns" },
  });
  const { warnings } = await configure(client, project, { tools: { custom_tools: [{ name: "x" }] } });
  expect(warnings).toEqual([expect.stringContaining("The model is "), "Custom tools are not supported"]);
});
