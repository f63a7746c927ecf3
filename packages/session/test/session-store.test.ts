import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRemoteError, isWireError } from "@editwire/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memorySessionStore, type SessionStore } from "../src/index.js";
import type { SessionKey } from "../src/stores/session-store.js";
import { fileSessionStore } from "../src/node.js";

interface Note {
  text: string;
}

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "session-store-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let folders = 0;
const stores: Record<string, (options?: { maxSessions?: number }) => SessionStore<Note>> = {
  memorySessionStore: (options) => memorySessionStore<Note>(options),
  fileSessionStore: (options) => fileSessionStore<Note>(join(root, String(++folders)), options),
};

const key = (sessionId: string, caller?: string): SessionKey => ({ sessionId, caller });
const notes = (...texts: string[]): Note[] => texts.map((text) => ({ text }));
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => undefined).catch((error) => error);

/** Waits until files get a later time, in milliseconds: that clock goes in steps of several milliseconds. */
async function tick(): Promise<void> {
  const probe = join(root, "probe");
  const now = async (): Promise<number> => {
    await writeFile(probe, "");
    return Math.floor((await stat(probe)).mtimeMs);
  };
  for (const start = await now(); (await now()) <= start; );
}

describe.each(Object.entries(stores))("%s", (_, make) => {
  it("returns what was added, to the log that is opened next", async () => {
    const store = make();
    const log = await store.create(key("a"), { cwd: "/w", title: "One", data: { modeId: "ask" } });
    await log.append(notes("1", "2"));
    await Promise.all([log.append(notes("3")), log.append(notes("4\u2028\n")), log.flush()]);
    const opened = await store.open(key("a"));
    expect(opened?.record).toMatchObject({ sessionId: "a", cwd: "/w", title: "One", data: { modeId: "ask" } });
    expect(await opened?.entries()).toEqual(notes("1", "2", "3", "4\u2028\n"));
    await opened?.append(notes("5"));
    expect(await (await store.open(key("a")))?.entries()).toEqual(notes("1", "2", "3", "4\u2028\n", "5"));
  });

  it("changes fields, and removes a title", async () => {
    const store = make();
    const log = await store.create(key("a"), { cwd: "/w" });
    await log.change({ title: "Title", cwd: "/v" });
    expect(log.record).toMatchObject({ cwd: "/v", title: "Title" });
    await log.change({ title: undefined, data: { modeId: "code" } });
    const record = (await store.open(key("a")))?.record;
    expect(record).toMatchObject({ cwd: "/v", data: { modeId: "code" } });
    expect(record?.title).toBeUndefined();
  });

  it("closes the log that was open before, and that of a deleted session", async () => {
    const store = make();
    const first = await store.create(key("a"), { cwd: "/w" });
    const second = await store.open(key("a"));
    expect(isWireError(await failure(first.append(notes("lost"))), "closed")).toBe(true);
    expect(isWireError(await failure(first.change({ title: "lost" })), "closed")).toBe(true);
    await second?.append(notes("kept"));
    await store.delete(key("a"));
    expect(isWireError(await failure(second?.append(notes("lost")) ?? Promise.resolve()), "closed")).toBe(true);
    expect(await store.open(key("a"))).toBeUndefined();
    expect((await store.list({ caller: undefined })).sessions).toEqual([]);
    await store.delete(key("a")); // once more is not an error
  });

  it("refuses an id that is taken, and keeps the session", async () => {
    const store = make();
    const log = await store.create(key("a"), { cwd: "/w" });
    await log.append(notes("1"));
    expect(await failure(store.create(key("a"), { cwd: "/other" }))).toBeInstanceOf(Error);
    expect(await log.entries()).toEqual(notes("1"));
  });

  it("keeps the sessions of callers apart", async () => {
    const store = make();
    await (await store.create(key("a", "ann"), { cwd: "/w" })).append(notes("hers"));
    await (await store.create(key("a", "bob"), { cwd: "/w" })).append(notes("his"));
    expect(await store.open(key("a"))).toBeUndefined();
    await store.delete(key("a", "bob"));
    expect(await (await store.open(key("a", "ann")))?.entries()).toEqual(notes("hers"));
    expect((await store.list({ caller: "bob" })).sessions).toEqual([]);
    expect((await store.list({ caller: "ann" })).sessions.map(({ sessionId }) => sessionId)).toEqual(["a"]);
  });

  it.each(["../../escape", "/etc/passwd", "CON", "a\0b", "x".repeat(5_000), "", ".", "A", "a"])(
    "takes any id: %j",
    async (id) => {
      const store = make();
      await (await store.create(key(id), { cwd: "/w" })).append(notes(id));
      expect(await (await store.open(key(id)))?.entries()).toEqual(notes(id));
      expect((await store.list({ caller: undefined })).sessions).toMatchObject([{ sessionId: id }]);
    },
  );

  it("lists pages, the latest session first, while sessions come and go", async () => {
    const store = make();
    for (const id of ["a", "b", "c", "d", "e"]) {
      await store.create(key(id), { cwd: id === "c" ? "/other" : "/w" });
      await tick();
    }
    await (await store.open(key("a")))?.append(notes("1"));
    const first = await store.list({ caller: undefined, limit: 2 });
    expect(first.sessions.map(({ sessionId }) => sessionId)).toEqual(["a", "e"]);
    await tick();
    await store.create(key("f"), { cwd: "/w" });
    await store.delete(key("e"));
    const second = await store.list({ caller: undefined, limit: 2, cursor: first.nextCursor });
    expect(second.sessions.map(({ sessionId }) => sessionId)).toEqual(["d", "c"]);
    const third = await store.list({ caller: undefined, limit: 2, cursor: second.nextCursor });
    expect(third).toMatchObject({ sessions: [{ sessionId: "b" }] });
    expect(third.nextCursor).toBeUndefined();
    const elsewhere = await store.list({ caller: undefined, cwd: "/other" });
    expect(elsewhere.sessions.map(({ sessionId }) => sessionId)).toEqual(["c"]);
    const refused = await failure(store.list({ caller: undefined, cursor: "%zz" }));
    expect(isRemoteError(refused, -32602)).toBe(true);
  });

  it("removes the least recently updated session of a caller beyond maxSessions", async () => {
    const store = make({ maxSessions: 2 });
    await store.create(key("other", "ann"), { cwd: "/w" });
    for (const id of ["a", "b"]) {
      await store.create(key(id), { cwd: "/w" });
      await tick();
    }
    await (await store.open(key("a")))?.append(notes("used"));
    await tick();
    await store.create(key("c"), { cwd: "/w" });
    const ids = (await store.list({ caller: undefined })).sessions.map(({ sessionId }) => sessionId);
    expect(ids).toEqual(["c", "a"]);
    expect(await store.open(key("other", "ann"))).toBeDefined();
  });
});
