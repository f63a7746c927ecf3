import { RemoteError } from "@editwire/core";
import { describe, expect, it } from "vitest";
import { deferred } from "../../transport/test/raw-socket.js";
import { type SmanChat, type SmanIde, smanProfiles } from "../src/index.js";
import { smanPair } from "../src/testing.js";
import { answer, startBackend } from "./support/backends.js";

const profile = smanProfiles.v2;
const isTime = expect.toSatisfy((ms: number) => Math.abs(ms - Date.now()) < 60_000);

describe("a backend of v2", () => {
  it("greets, answers pings and names what it does not know (C24, reading 16)", async () => {
    const { dial } = await startBackend({ profile });
    const { raw } = await dial("sessionId=test-123&projectKey=autoloop&projectPath=%2Fhome%2Fme");
    expect(await raw.next()).toEqual({
      type: "CONNECTED",
      data: {
        message: "连接成功",
        sessionId: "test-123",
        projectKey: "autoloop",
        projectPath: "/home/me",
        mode: "agent",
        serverTime: isTime,
        protocolVersion: "2.0",
      },
      timestamp: isTime,
    });
    raw.send({ type: "PING", data: { timestamp: 17 } });
    expect(await raw.next()).toEqual({ type: "PONG", data: { timestamp: 17 }, timestamp: isTime });
    const junk: [unknown, string][] = [
      [{ type: "HELLO", data: {} }, "UNKNOWN_MESSAGE_TYPE"],
      [{ data: {} }, "INVALID_MESSAGE"],
      ["not JSON", "MESSAGE_PARSE_ERROR"],
      [{ type: "AGENT_CHAT", data: {} }, "MESSAGE_PARSE_ERROR"],
    ];
    for (const [message, errorCode] of junk) {
      raw.send(message);
      const { type, data } = await raw.next();
      expect([type, data["errorCode"], typeof data["errorMessage"]]).toEqual(["ERROR", errorCode, "string"]);
    }
    raw.send({ type: "PING" });
    expect(await raw.next()).toMatchObject({ type: "PONG", data: { timestamp: isTime } });
  });

  it("calls tools while it answers a chat, and is not kept from reading by it (C25)", async () => {
    const finish = deferred();
    const chats: SmanChat[] = [];
    const { dial } = await startBackend({
      profile,
      async onChat(chat, ide) {
        chats.push(chat);
        const { result } = await ide.call("grep_file", { pattern: chat.message });
        await ide.notify("STREAMING_CONTENT", { sessionId: chat.sessionId, content: result, chunkIndex: 0 });
        await finish.promise;
        await ide.notify("AGENT_RESPONSE", { sessionId: chat.sessionId, content: "done", status: "COMPLETED" });
      },
    });
    const { raw } = await dial();
    raw.send({ type: "AGENT_CHAT", data: { sessionId: "", projectKey: "", message: "TODO" } });
    await answer(raw, { success: true, result: "three" });
    expect((await raw.next("STREAMING_CONTENT")).data).toMatchObject({ sessionId: "test-123", content: "three" });
    raw.send({ type: "PING", data: { timestamp: 1 } });
    await raw.next("PONG");
    expect(raw.all("AGENT_RESPONSE")).toEqual([]);
    finish.resolve();
    expect(await raw.next("AGENT_RESPONSE")).toMatchObject({ data: { status: "COMPLETED" }, timestamp: isTime });
    expect(chats).toEqual([
      expect.objectContaining({ message: "TODO", sessionId: "test-123", projectKey: "autoloop" }),
    ]);
  });

  it("stops the chats of a session (C24)", async () => {
    const aborted: string[] = [];
    const { dial, errors } = await startBackend({
      profile,
      onChat: ({ sessionId, signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted.push(sessionId);
            reject(new Error("stopped"));
          });
        }),
    });
    const { raw } = await dial();
    for (const sessionId of ["", "other"]) raw.send({ type: "AGENT_CHAT", data: { message: "x", sessionId } });
    raw.send({ type: "STOP" });
    expect((await raw.next("STOPPED")).data).toEqual({
      sessionId: "test-123",
      message: "分析已取消",
      timestamp: isTime,
    });
    expect(aborted).toEqual(["test-123"]);
    raw.kill();
    await raw.closed;
    while (aborted.length < 2) await new Promise(setImmediate);
    expect([aborted, errors]).toEqual([["test-123", "other"], []]);
  });

  it("answers a chat that fails with an error, without the text of a bug", async () => {
    const failures = [new RemoteError(1, "no model"), new Error("secret")];
    const { dial, errors } = await startBackend({
      profile,
      onChat: () => Promise.reject(failures.shift()),
      maxRequests: 1,
    });
    const { raw } = await dial();
    for (const text of ["no model", "处理失败"]) {
      raw.send({ type: "AGENT_CHAT", data: { message: "x" } });
      expect((await raw.next("ERROR")).data).toEqual({
        errorCode: "PROCESSING_FAILED",
        errorMessage: text,
        timestamp: isTime,
      });
    }
    expect(errors.map((error) => (error as Error).message)).toEqual(["secret"]);
  });

  it("refuses chats above its limit", async () => {
    const { dial } = await startBackend({ profile, onChat: () => new Promise(() => {}), maxRequests: 1 });
    const { raw } = await dial();
    for (let n = 0; n < 2; n += 1) raw.send({ type: "AGENT_CHAT", data: { message: "x" } });
    expect((await raw.next("ERROR")).data).toMatchObject({ errorCode: "PROCESSING_FAILED" });
  });
});

describe("a backend of spec", () => {
  it("says nothing beside its calls, and ignores what v2 adds", async () => {
    const { dial } = await startBackend();
    const { raw, ide } = await dial();
    for (const message of [{ type: "PING", data: { timestamp: 1 } }, { type: "STOP" }, { type: "HELLO", data: {} }])
      raw.send(message);
    const call = ide.call("grep_file", { pattern: "a" });
    await answer(raw);
    await call;
    expect(raw.frames.map(({ type }) => type)).toEqual(["TOOL_CALL"]);
  });
});

it("a pair of v2 has a conversation in memory", async () => {
  const seen: string[] = [];
  const answered = deferred();
  const pair = await smanPair(
    {
      tools: { read_file: ({ relativePath }) => `text of ${relativePath}` },
      on: {
        CONNECTED: ({ sessionId }) => void seen.push(`connected ${sessionId}`),
        STREAMING_CONTENT: ({ content }) => void seen.push(content),
        AGENT_RESPONSE({ status }) {
          seen.push(status);
          answered.resolve();
        },
      },
    },
    {
      plugin: { profile },
      backend: {
        profile,
        async onChat({ message, sessionId }, ide: SmanIde) {
          const { result } = await ide.call("read_file", { relativePath: message });
          await ide.notify("STREAMING_CONTENT", { sessionId, content: result });
          await ide.notify("AGENT_RESPONSE", { sessionId, content: result, status: "SUCCESS" });
        },
      },
    },
  );
  await pair.plugin.notify("AGENT_CHAT", { message: "a.ts" });
  await answered.promise;
  expect(seen).toEqual(["connected test-123", "text of a.ts", "SUCCESS"]);
  await pair.close();
  await expect(pair.ide.call("read_file", { relativePath: "a" })).rejects.toMatchObject({ code: "closed" });
});
