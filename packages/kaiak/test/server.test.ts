import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { dialRaw, frame, type Message, type RawPeer, startRaw } from "./raw.js";

const { server } = await bundle(import.meta.url, { server: "fixtures/server.ts" });
const folder = mkdtempSync(join(tmpdir(), "editwire-kaiak-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let sockets = 0;

async function listening(): Promise<{ path: string; end: () => Promise<unknown>; pid: number }> {
  const path = join(folder, `${++sockets}.sock`);
  const child = spawn(process.execPath, [server, path], { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  const exited = once(child, "exit");
  const end = async (): Promise<unknown> => {
    child.kill("SIGTERM");
    return exited;
  };
  onTestFinished(async () => void (await end()));
  return { path, end, pid: child.pid ?? 0 };
}

/** A client on each of the transports. */
const transports: Record<string, () => Promise<RawPeer>> = {
  async stdio() {
    const { peer, child } = startRaw(server);
    onTestFinished(() => void child.kill());
    return peer;
  },
  async "a Unix socket"() {
    const { path } = await listening();
    return (await dialRaw(path)).peer;
  },
};

const configuration = { workspace: { working_dir: folder } };

async function configured(peer: RawPeer): Promise<RawPeer> {
  peer.command("c", "kaiak/configure", { configuration });
  await peer.reply("c");
  return peer;
}

describe.each(Object.entries(transports))("a server on %s", (_name, open) => {
  const start = async (): Promise<RawPeer> => configured(await open());

  it("B10, B11: answers what is not a request, and goes on", async () => {
    const peer = await open();
    peer.write(frame("{no json"));
    expect(await peer.reply(null)).toMatchObject({ error: { code: -32700 } });
    for (const bad of ["[]", "5", '{"jsonrpc":"2.0","id":1}']) peer.write(frame(bad));
    const codes: unknown[] = [];
    for (let index = 0; index < 3; index++)
      codes.push((await peer.next(({ error }) => error !== undefined)).error?.code);
    expect(codes).toEqual([-32600, -32600, -32600]);
    peer.command(2, "kaiak/configure", { configuration });
    expect((await peer.reply(2)).result).toMatchObject({ status: "success" });
  });

  it("B02, B03, B04: reads frames that are split, joined, and have other headers", async () => {
    const peer = await open();
    const body = JSON.stringify({ jsonrpc: "2.0", id: "ä", method: "initialize", params: {} });
    const bytes = Buffer.from(
      `content-type: application/vscode-jsonrpc; charset=utf-8\nCONTENT-LENGTH: ${Buffer.byteLength(body)}\n\n${body}`,
    );
    for (const byte of bytes) peer.write(Buffer.from([byte]));
    peer.write(frame(body.replace("ä", "b")) + frame(body.replace("ä", "c")));
    for (const id of ["ä", "b", "c"])
      expect((await peer.reply(id)).result).toMatchObject({ serverInfo: { name: "fixture" } });
  });

  it("B12, B13: refuses unknown methods, unknown commands and wrong arguments by their codes", async () => {
    const peer = await start();
    const execute = "workspace/executeCommand";
    const calls: [object, number][] = [
      [{ method: "kaiak/nothing", params: {} }, -32601],
      [{ method: execute, params: { command: "kaiak/nothing", arguments: [{}] } }, -32601],
      [{ method: execute, params: { arguments: [{}] } }, -32602],
      [{ method: execute, params: { command: "kaiak/configure", arguments: [] } }, -32602],
      [{ method: execute, params: { command: "kaiak/configure", arguments: [{ configuration: 5 }] } }, -32602],
      [
        { method: execute, params: { command: "kaiak/generate_fix", arguments: [{ session_id: "s", incidents: [] }] } },
        -32602,
      ],
    ];
    for (const [index, [call, code]] of calls.entries()) {
      peer.send({ id: index, ...call });
      expect((await peer.reply(index)).error?.code, JSON.stringify(call)).toBe(code);
    }
  });

  it("B14, B15: answers nothing to a request without an id, and echoes ids with their type", async () => {
    const peer = await start();
    peer.send({ method: "workspace/executeCommand", params: { command: "kaiak/delete_session", arguments: [{}] } });
    peer.command(1, "kaiak/delete_session", { session_id: "x" });
    peer.command("1", "kaiak/delete_session", { session_id: "x" });
    expect((await peer.reply(1)).id).toBe(1);
    expect((await peer.reply("1")).id).toBe("1");
    expect(peer.messages.filter(({ method }) => method === undefined)).toHaveLength(3); // with that of configure
  });

  it("B16, B17, B18, B19: configures, fills defaults, refuses a missing directory and other permissions", async () => {
    const peer = await open();
    peer.command(1, "kaiak/configure", { configuration: { ...configuration, model: { provider: "odd" } } });
    expect((await peer.reply(1)).result).toMatchObject({
      status: "success",
      configuration_applied: {
        workspace: { working_dir: folder, include_patterns: ["**/*"] },
        model: { provider: "odd", max_tokens: 4096 },
        permissions: { tool_permissions: { write_file: "approve" } },
      },
      warnings: ["the provider is odd"],
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
    });
    peer.command(2, "kaiak/configure", { configuration: { workspace: { working_dir: "/no/such/directory" } } });
    expect((await peer.reply(2)).error).toMatchObject({
      code: -32014,
      data: { field: "workspace.working_dir", details: "Directory '/no/such/directory' does not exist" },
    });
    const permissions = { tool_permissions: { read_file: "maybe" } };
    peer.command(3, "kaiak/configure", { configuration: { ...configuration, permissions } });
    expect((await peer.reply(3)).error?.code).toBe(-32602);
    peer.command(4, "kaiak/configure", { configuration, reset_existing: true });
    expect((await peer.reply(4)).result).toMatchObject({ status: "success", warnings: [] });
  });

  it("refuses a run before a configuration", async () => {
    const peer = await open();
    peer.fix(1, "s", "go");
    expect((await peer.reply(1)).error).toMatchObject({ code: -32014, data: { field: "configuration" } });
  });

  it("B20, B21, B22, B23, B24: a run has ordered notifications of five params, then its result", async () => {
    const peer = await start();
    peer.fix(1, "s", "go 50");
    const { result } = await peer.reply(1);
    expect(result).toMatchObject({ session_id: "s", status: "completed", incident_count: 1 });
    expect(result?.["request_id"]).toMatch(/^req-/);
    const notifications = peer.messages.filter(({ method }) => method !== undefined);
    expect(notifications).toHaveLength(1 + 1 + 3 + 51 + 1 + 1);
    expect(peer.messages.at(-1)?.id).toBe(1);
    for (const { params, id } of notifications) {
      expect(id).toBeUndefined();
      expect(params).toMatchObject({ session_id: "s", request_id: result?.["request_id"] });
      expect(Object.keys(params ?? {}).sort()).toEqual([
        "content",
        "message_id",
        "request_id",
        "session_id",
        "timestamp",
      ]);
    }
    expect(new Set(notifications.map(({ params }) => params?.["message_id"])).size).toBe(notifications.length);
    const percentages = notifications.flatMap(({ params }) => params?.content?.["percentage"] ?? []);
    expect(percentages).toEqual([10, 10]);
    const statuses = notifications.flatMap(({ params }) => params?.content?.["status"] ?? []);
    expect(statuses).toEqual(["pending", "executing", "completed"]);
  });

  it("B25, B26, B28: refuses a second run of a busy session, serves others, and is free after the result", async () => {
    const peer = await start();
    peer.fix(1, "s", "wait");
    await peer.notification("progress");
    peer.fix(2, "s", "go");
    expect((await peer.reply(2)).error).toMatchObject({
      code: -32016,
      data: { session_id: "s", in_use_since: expect.stringMatching(/Z$/) as string },
    });
    peer.command(3, "kaiak/configure", { configuration });
    expect((await peer.reply(3)).result).toBeDefined();
    peer.send({ method: "$/cancelRequest", params: { id: 1 } });
    expect((await peer.reply(1)).result).toMatchObject({ status: "cancelled" });
    for (const [id, what, status] of [
      [4, "fail", "failed"],
      [5, "throw", "failed"],
      [6, "go", "completed"],
    ] as const) {
      peer.fix(id, "s", what);
      expect((await peer.reply(id)).result).toMatchObject({ status });
    }
    expect(JSON.stringify(peer.messages)).not.toContain("secret");
  });

  it("cancels a run by its id, and says when it was answered already or is unknown", async () => {
    const peer = await start();
    peer.fix(1, "s", "wait");
    const { request_id } = (await peer.notification("progress")).params as { request_id: string };
    peer.command(2, "kaiak/fix/cancel", { request_id });
    expect((await peer.reply(2)).result).toMatchObject({ request_id, status: "cancelled" });
    expect((await peer.reply(1)).result).toMatchObject({ request_id, status: "cancelled" });
    peer.send({ id: 3, method: "kaiak/fix/cancel", params: { request_id } });
    expect((await peer.reply(3)).error).toMatchObject({ code: -32008, data: { request_id } });
    peer.command(4, "kaiak/fix/cancel", { request_id: "req-other" });
    expect((await peer.reply(4)).error).toMatchObject({ code: -32007, data: { request_id: "req-other" } });
  });

  it("B27: runs 50 sessions at once", async () => {
    const peer = await start();
    for (let index = 0; index < 50; index++) peer.fix(index, `s${index}`, "wait");
    for (let index = 0; index < 50; index++) await peer.notification("progress");
    for (let index = 49; index >= 0; index--) peer.send({ method: "$/cancelRequest", params: { id: index } });
    const left = new Set(Array.from({ length: 50 }, (_, index) => index));
    while (left.size > 0) {
      const { id, result } = await peer.next(({ method }) => method === undefined);
      expect(result).toMatchObject({ status: "cancelled", session_id: `s${id}` });
      left.delete(id as number);
    }
  });

  it("B30, B32: deletes a session once, with a summary", async () => {
    const peer = await start();
    peer.fix(1, "s", "fail");
    await peer.reply(1);
    peer.command(2, "kaiak/delete_session", { session_id: "s" });
    expect((await peer.reply(2)).result).toMatchObject({
      session_id: "s",
      status: "deleted",
      cleanup_summary: { session_removed: true, messages_cleaned: 2, temp_files_removed: 2, errors: [] },
    });
    peer.command(3, "kaiak/delete_session", { session_id: "s" });
    expect((await peer.reply(3)).error).toMatchObject({ code: -32003, data: { session_id: "s" } });
  });

  it("B31: deletes a busy session only by force, after the run was answered", async () => {
    const peer = await start();
    peer.fix(1, "s", "wait");
    await peer.notification("progress");
    peer.command(2, "kaiak/delete_session", { session_id: "s", force: false });
    expect((await peer.reply(2)).error?.code).toBe(-32016);
    peer.command(3, "kaiak/delete_session", { session_id: "s", force: true });
    expect((await peer.reply(1)).result).toMatchObject({ status: "cancelled" });
    expect((await peer.reply(3)).result).toMatchObject({ status: "deleted" });
  });

  it.each([
    [
      "kaiak/interaction/respond",
      (id: string) => ({ interaction_id: id, response_type: "choice", response_data: "approve" }),
    ],
    ["kaiak/interaction/respond", (id: string) => ({ interaction_id: id, response_data: { response: "approve" } })],
    [
      "kaiak/client/user_message",
      (id: string) => ({
        session_id: "s",
        kind: "tool_confirmation",
        payload: { request_id: id, action: "allow_once" },
      }),
    ],
  ])("B33: takes an answer by %s, and checks it", async (command, answer) => {
    const peer = await start();
    peer.fix(1, "s", "ask");
    const { params } = await peer.notification("user_interaction");
    const id = String(params?.content?.["interaction_id"]);
    expect(params?.content).toMatchObject({ options: ["approve", "deny"], default_response: "deny", timeout: 60 });
    peer.command(2, "kaiak/interaction/respond", { interaction_id: "other", response_data: "approve" });
    expect((await peer.reply(2)).error?.code).toBe(-32009);
    peer.command(3, "kaiak/interaction/respond", { interaction_id: id, response_data: "perhaps" });
    expect((await peer.reply(3)).error?.code).toBe(-32011);
    peer.command(4, command, answer(id));
    const text = await peer.notification("ai_response");
    expect(text.params?.content?.["text"]).toBe("answer: approve");
    peer.command(5, command, answer(id));
    expect((await peer.reply(5)).error?.code).toBe(-32010);
  });

  it("B34: takes the default response when nobody answers in time", async () => {
    const peer = await start();
    peer.fix(1, "s", "ask 50");
    expect((await peer.notification("ai_response")).params?.content?.["text"]).toBe("answer: deny");
    expect((await peer.reply(1)).result).toMatchObject({ status: "completed" });
  });

  it.each(["wait", "deaf"])(
    "B35: ends a run (%s) after max_processing_time, and releases its session",
    async (what) => {
      const peer = await start();
      peer.fix(1, "s", what, { max_processing_time: 0.1 });
      expect((await peer.notification("error")).params?.content).toMatchObject({ recoverable: false });
      expect((await peer.reply(1)).result).toMatchObject({ status: "failed" });
      peer.fix(2, "s", "go");
      expect((await peer.reply(2)).result).toMatchObject({ status: "completed" });
    },
  );

  it("B38: knows the handshake and the end of language servers", async () => {
    const peer = await start();
    peer.send({ id: 1, method: "initialize", params: { processId: null, capabilities: {} } });
    expect((await peer.reply(1)).result).toMatchObject({ capabilities: { executeCommandProvider: {} } });
    peer.send({ method: "initialized", params: {} });
    peer.fix(2, "s", "wait");
    await peer.notification("progress");
    peer.send({ id: 3, method: "shutdown" });
    await peer.reply(3);
    peer.send({ method: "exit" });
    await peer.ended;
  });

  it.each([
    "Content-Length: -5\r\n\r\n",
    "Content-Length: x\r\n\r\n",
    "Content-Length: 99999999999\r\n\r\n",
    "Other: 5\r\n\r\n{}",
  ])("B05, B06: ends the connection at the header %j", async (header) => {
    const peer = await start();
    peer.write(header);
    await peer.ended;
  });

  it("answers with the error that the handler of a run throws, and releases the session", async () => {
    const peer = await start();
    peer.fix(1, "s", "refuse");
    expect((await peer.reply(1)).error).toEqual({
      code: -32006,
      message: "Agent initialization failed: no such provider",
      data: { provider: "odd" },
    });
    peer.fix(2, "s", "go");
    expect((await peer.reply(2)).result).toMatchObject({ status: "completed" });
  });

  it("does not tell why a session could not begin", async () => {
    const peer = await start();
    peer.fix(1, "refused", "go");
    expect((await peer.reply(1)).error).toMatchObject({ code: -32001, data: { session_id: "refused" } });
    expect(JSON.stringify(peer.messages)).not.toContain("secret");
  });
});

describe("a server on stdio", () => {
  it("B36: exits when its stdin ends, in the middle of a run too", async () => {
    const { peer, child } = startRaw(server);
    const exited = once(child, "exit");
    await configured(peer);
    peer.fix(1, "s", "wait");
    await peer.notification("progress");
    peer.end();
    expect(await exited).toEqual([0, null]);
  });
});

describe("a server on a Unix socket", () => {
  it("B37: has mode 0600, replaces a stale file, and removes its own", async () => {
    const first = await listening();
    expect(statSync(first.path).mode & 0o777).toBe(0o600);
    process.kill(first.pid, "SIGKILL");
    await first.end();
    expect(existsSync(first.path)).toBe(true);
    const child = spawn(process.execPath, [server, first.path], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    const { peer } = await dialRaw(first.path);
    await configured(peer);
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(existsSync(first.path)).toBe(false);
  });

  it("B25, B29: a session is locked for other clients, and free when its client is gone", async () => {
    const { path } = await listening();
    const { peer: one, socket } = await dialRaw(path);
    const { peer: two } = await dialRaw(path);
    await configured(one);
    one.fix(1, "s", "ask");
    await one.notification("user_interaction");
    two.fix(1, "s", "go");
    expect((await two.reply(1)).error?.code).toBe(-32016);
    socket.destroy();
    // The server sees the end of the connection a moment later: deletion by force waits for that.
    two.command(2, "kaiak/delete_session", { session_id: "s", force: true });
    expect((await two.reply(2)).result).toMatchObject({ status: "deleted" });
    two.fix(3, "s", "go");
    expect((await two.reply(3)).result).toMatchObject({ status: "completed" });
  });

  it("B33: takes an answer from another connection of the same user", async () => {
    const { path } = await listening();
    const { peer: one } = await dialRaw(path);
    const { peer: two } = await dialRaw(path);
    await configured(one);
    one.fix(1, "s", "ask");
    const asked: Message = await one.notification("user_interaction");
    two.command(1, "kaiak/interaction/respond", {
      interaction_id: asked.params?.content?.["interaction_id"],
      response_data: "approve",
    });
    expect((await one.notification("ai_response")).params?.content?.["text"]).toBe("answer: approve");
  });
});
