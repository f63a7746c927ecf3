import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWireError } from "@editwire/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileSessionStore } from "../src/node.js";
import type { FileSessionStoreOptions } from "../src/stores/file-store.js";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "file-session-store-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let folders = 0;
/** A store in a folder of its own, with the folder of the session "a". */
function makeStore(options: FileSessionStoreOptions = {}) {
  const errors: unknown[] = [];
  const folder = join(root, String(++folders));
  const store = fileSessionStore<string>(folder, { ...options, onError: (error) => errors.push(error) });
  return { store, errors, folder, session: join(folder, "local", "session-a") };
}

const key = { sessionId: "a", caller: undefined };
const fields = { cwd: "/w" };

async function entryFiles(session: string): Promise<string[]> {
  return (await readdir(session)).filter((name) => name.startsWith("entries-")).sort();
}

describe("fileSessionStore", () => {
  it("reads the acknowledged entries after a write that ended anywhere, and goes on", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { minLength: 1, maxLength: 6 }),
        fc.nat(),
        async (texts, cut) => {
          const { store, session } = makeStore({ fsync: "never" });
          const log = await store.create(key, fields);
          await log.append(["acknowledged"]);
          await log.append(texts);
          const path = join(session, "entries-00000001.jsonl");
          const start = Buffer.byteLength(`"acknowledged"\n`);
          const { size } = await stat(path);
          await truncate(path, start + (cut % (size - start + 1)));
          const opened = await store.open(key);
          const found = (await opened?.entries()) ?? [];
          expect(found).toEqual(["acknowledged", ...texts].slice(0, found.length));
          expect(found.length).toBeGreaterThan(0);
          await opened?.append(["later"]);
          expect(await (await store.open(key))?.entries()).toEqual([...found, "later"]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("drops the oldest entries of a session that becomes too large, and refuses one that is larger", async () => {
    const { store, session } = makeStore({ maxBytes: 1_000 });
    const log = await store.create(key, fields);
    const texts = Array.from({ length: 300 }, (_, n) => `entry ${n}`);
    for (const text of texts) await log.append([text]);
    const kept = (await log.entries()) ?? [];
    expect(kept).toEqual(texts.slice(-kept.length));
    const names = await entryFiles(session);
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(session, name))).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(1_000);
    expect(total).toBeGreaterThan(800);
    const error = await log.append(["x".repeat(1_000)]).catch((each: unknown) => each);
    expect(isWireError(error, "too_large")).toBe(true);
    await log.append(["after"]);
    expect((await log.entries()).at(-1)).toBe("after");
  });

  it("lets two stores share a folder: the one that opened a session last writes it, to a file of its own", async () => {
    const { store, folder, session } = makeStore();
    const other = fileSessionStore<string>(folder);
    const first = await store.create(key, fields);
    await first.append(["1"]);
    const second = await other.open(key);
    await second?.append(["2"]);
    const third = await store.open(key);
    await third?.append(["3"]);
    const error = await second?.append(["4"]).catch((each: unknown) => each);
    expect(isWireError(error, "closed")).toBe(true);
    expect(await third?.entries()).toEqual(["1", "2", "3"]);
    expect((await entryFiles(session)).length).toBe(3);
  });

  it("can be read by this user alone", async () => {
    const { store, session } = makeStore();
    await (await store.create(key, fields)).append(["1"]);
    const names = ["", ...(await readdir(session))];
    const modes = await Promise.all(names.map(async (name) => (await stat(join(session, name))).mode & 0o077));
    expect(modes).toEqual(names.map(() => 0));
  });

  it("lists the other sessions beside a damaged one, and reports it", async () => {
    const { store, errors, folder, session } = makeStore();
    await store.create(key, fields);
    await store.create({ ...key, sessionId: "b" }, fields);
    await writeFile(join(session, "session.json"), "{");
    const { sessions } = await store.list({ caller: undefined });
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["b"]);
    expect(errors).toHaveLength(1);
    expect(await readdir(join(folder, "local"))).toContain("session-a");
  });

  it("leaves out a damaged line, and reports it", async () => {
    const { store, errors, session } = makeStore();
    const log = await store.create(key, fields);
    await log.append(["1", "2", "3"]);
    const path = join(session, "entries-00000001.jsonl");
    await writeFile(path, (await readFile(path, "utf8")).replace('"2"', '"2'));
    expect(await log.entries()).toEqual(["1", "3"]);
    expect(errors).toHaveLength(1);
  });

  it("removes what a killed process left half made", async () => {
    const { store, folder, session } = makeStore();
    await store.create(key, fields);
    const stale = join(folder, "local", `.tmp-0-${Date.now() - 3_600_000}`);
    const fresh = join(folder, "local", `.tmp-0-${Date.now()}`);
    await Promise.all([mkdir(stale), mkdir(fresh)]);
    await store.list({ caller: undefined });
    await store.open(key);
    expect(await readdir(join(folder, "local"))).toEqual([fresh.split("/").at(-1), "clock", "session-a"]);
    expect((await readdir(session)).sort()).toEqual(["session.json", "writer"]);
  });

  it("throws a TypeError for wrong options", () => {
    expect(() => fileSessionStore("")).toThrow(TypeError);
    expect(() => fileSessionStore("/x", { maxBytes: -1 })).toThrow(TypeError);
  });
});
