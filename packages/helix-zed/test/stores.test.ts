import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "libsql";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HelixZedInteraction, memoryStore, type HelixZedStore } from "../src/index.js";
import { sqliteStore } from "../src/sqlite.js";

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "helix-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "host.db");
}

const record = (requestId: string, sessionId = "s", extra: Partial<HelixZedInteraction> = {}): HelixZedInteraction => ({
  sessionId,
  requestId,
  message: "grün 漢字 😀 \u0000 'quoted'",
  state: "waiting",
  messages: [],
  createdAt: 1,
  ...extra,
});

describe.each([
  ["memory", () => memoryStore()],
  ["SQLite", () => sqliteStore(new Database(file()))],
] as [string, () => HelixZedStore][])("the store in %s", (_name, create) => {
  it("returns what it was given, in order, and only what waits at once", async () => {
    const store = create();
    expect([...(await store.load("a"))]).toEqual([]);
    await store.saveSession({ id: "s2", agentId: "a", threadId: undefined, title: undefined });
    await store.saveSession({ id: "s1", agentId: "a", threadId: "t", title: "A title" });
    await store.saveSession({ id: "s3", agentId: "b", threadId: undefined, title: undefined });
    for (const id of ["z", "y", "x"]) await store.saveInteraction(record(id, "s1"));
    await store.saveInteraction(
      record("z", "s1", { state: "complete", messages: [{ id: "1", content: "done", timestamp: 2 }], endedAt: 3 }),
    );
    expect(await store.load("a")).toEqual([
      { id: "s2", agentId: "a", threadId: undefined, title: undefined, waiting: [] },
      { id: "s1", agentId: "a", threadId: "t", title: "A title", waiting: [record("y", "s1"), record("x", "s1")] },
    ]);
    expect((await store.interactions("s1")).map(({ requestId, state }) => `${requestId} ${state}`)).toEqual([
      "z complete",
      "y waiting",
      "x waiting",
    ]);
    expect(await store.interaction("z")).toEqual(
      record("z", "s1", { state: "complete", messages: [{ id: "1", content: "done", timestamp: 2 }], endedAt: 3 }),
    );
    expect(await store.interaction("other")).toBeUndefined();
  });

  it("replaces a session and keeps its place", async () => {
    const store = create();
    for (const id of ["1", "2"]) await store.saveSession({ id, agentId: "a", threadId: undefined, title: undefined });
    await store.saveSession({ id: "1", agentId: "a", threadId: "t", title: "T" });
    expect((await store.load("a")).map(({ id, threadId }) => [id, threadId])).toEqual([
      ["1", "t"],
      ["2", undefined],
    ]);
  });

  it("tells ids apart, whatever they are made of", async () => {
    const store = create();
    const ids = [
      "s",
      "s\0x",
      "s\0y",
      "\ud800",
      "\ud801",
      "\ufffd",
      "\\",
      '\\"s"',
      "__proto__",
      "'; DROP TABLE helix_sessions; --",
      "x".repeat(1_000_000),
    ];
    for (const id of ids) {
      await store.saveSession({ id, agentId: id, threadId: id, title: id });
      await store.saveInteraction(record(id, id));
    }
    for (const id of ids) {
      expect(await store.load(id)).toEqual([{ id, agentId: id, threadId: id, title: id, waiting: [record(id, id)] }]);
      expect([await store.interaction(id), await store.interactions(id)]).toEqual([record(id, id), [record(id, id)]]);
    }
  });

  it("moves a session to another agent", async () => {
    const store = create();
    for (const agentId of ["a", "b"])
      await store.saveSession({ id: "1", agentId, threadId: undefined, title: undefined });
    expect([(await store.load("a")).length, (await store.load("b")).length]).toEqual([0, 1]);
  });
});

it("the store in SQLite opens a database that another process writes to just then", async () => {
  const path = file();
  const lock = `
    const { parentPort, workerData } = require("node:worker_threads");
    const Database = require(workerData.driver);
    const database = new Database(workerData.path);
    database.exec("BEGIN EXCLUSIVE; CREATE TABLE other (x)");
    parentPort.postMessage("locked");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    database.exec("COMMIT");
    database.close();`;
  const worker = new Worker(lock, {
    eval: true,
    workerData: { path, driver: createRequire(import.meta.url).resolve("libsql") },
  });
  await once(worker, "message");
  const store = sqliteStore(new Database(path));
  await store.saveInteraction(record("r"));
  expect(await store.interaction("r")).toEqual(record("r"));
  await once(worker, "exit");
});

it("of two hosts of one database in SQLite the newest owns it: the other can neither load nor save", async () => {
  const path = file();
  const [older, newer] = [sqliteStore(new Database(path)), sqliteStore(new Database(path))];
  await newer.saveInteraction(record("r1"));
  const session = { id: "s", agentId: "a", threadId: undefined, title: undefined };
  for (const use of [
    () => older.saveInteraction(record("r1", "s", { state: "complete" })),
    () => older.saveInteraction(record("r2")),
    () => older.saveSession(session),
    () => older.deleteSession("s"),
    () => older.load("a"),
  ])
    expect(use).toThrow("another host took over the database");
  expect(await newer.interactions("s")).toEqual([record("r1")]);
});

it.each([
  ["memory", () => memoryStore()],
  ["SQLite", () => sqliteStore(new Database(file()))],
] as [string, () => HelixZedStore][])(
  "the store in %s lists sessions, and deletes one with its interactions",
  async (_name, create) => {
    const store = create();
    const session = { id: "s1", agentId: "a", threadId: undefined, title: undefined };
    await store.saveSession(session);
    await store.saveSession({ ...session, id: "s2" });
    await store.saveInteraction(record("r1", "s1"));
    expect([await store.session("s1"), await store.session("s3")]).toEqual([session, undefined]);
    await store.deleteSession("s1");
    expect([...(await store.sessions())].map(({ id }) => id)).toEqual(["s2"]);
    expect([await store.interaction("r1"), await store.interactions("s1"), (await store.load("a")).length]).toEqual([
      undefined,
      [],
      1,
    ]);
  },
);

it("the store in SQLite finds everything again, and writes through to the disk before it returns", async () => {
  const path = file();
  const store = sqliteStore(new Database(path));
  await store.saveSession({ id: "s", agentId: "a", threadId: "t", title: undefined });
  await store.saveInteraction(record("r"));
  const other = new Database(path);
  expect(await sqliteStore(other).load("a")).toEqual([
    { id: "s", agentId: "a", threadId: "t", title: undefined, waiting: [record("r")] },
  ]);
  expect([other.prepare("PRAGMA journal_mode").get(), other.prepare("PRAGMA synchronous").get()]).toMatchObject([
    { journal_mode: "wal" },
    { synchronous: 2 },
  ]);
});
