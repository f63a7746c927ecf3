import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { memorySessionStore, type SessionStore } from "../src/index.js";
import { fileSessionStore } from "../src/node.js";

let root = "";
let folders = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "session-order-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2030, 0, 1) }));
afterEach(() => void vi.useRealTimers());

const caller = undefined;
const stores: Record<string, (options?: { maxSessions?: number }) => SessionStore<string>> = {
  memorySessionStore: (options) => memorySessionStore<string>(options),
  fileSessionStore: (options) => fileSessionStore<string>(join(root, String(++folders)), options),
};

/** The ids of all sessions, page by page. `between` is called before each further page. */
async function paged(
  store: SessionStore<string>,
  between: (page: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 1; page < 20; page++) {
    const { sessions, nextCursor } = await store.list({ caller, limit: 2, cursor });
    ids.push(...sessions.map(({ sessionId }) => sessionId));
    if (nextCursor === undefined) return ids;
    cursor = nextCursor;
    await between(page);
  }
  throw new Error("the pages do not end");
}

describe.each(Object.entries(stores))("the order of sessions in %s", (_, make) => {
  const add = async (store: SessionStore<string>, ids: readonly string[]): Promise<void> => {
    for (const sessionId of ids) await store.create({ sessionId, caller }, { cwd: "/w" });
  };

  it("is that of the updates, also within one millisecond", async () => {
    const store = make();
    await add(store, ["d", "a", "c", "b", "e"]);
    expect(await paged(store)).toEqual(["e", "b", "c", "a", "d"]);
    await (await store.open({ sessionId: "c", caller }))?.append(["1"]);
    await (await store.open({ sessionId: "a", caller }))?.change({ title: "A" });
    expect(await paged(store)).toEqual(["a", "c", "e", "b", "d"]);
  });

  it("is that of the updates, also when the clock goes back", async () => {
    const store = make();
    await add(store, ["a", "b"]);
    vi.setSystemTime(Date.UTC(2029, 0, 1));
    await add(store, ["c", "d"]);
    await (await store.open({ sessionId: "a", caller }))?.append(["1"]);
    expect(await paged(store)).toEqual(["a", "d", "c", "b"]);
  });

  it("names each session once, while the clock goes back and sessions that were named are used", async () => {
    const store = make();
    await add(store, ["a", "b", "c", "d", "e", "f"]);
    const ids = await paged(store, async (page) => {
      vi.setSystemTime(Date.UTC(2029 - page, 0, 1));
      await (await store.open({ sessionId: "f", caller }))?.append(["1"]);
      await add(store, [`new ${page}`]);
    });
    expect(ids).toEqual(["f", "e", "d", "c", "b", "a"]);
  });

  it("decides which session is removed beyond maxSessions", async () => {
    const store = make({ maxSessions: 2 });
    await add(store, ["b", "a"]);
    vi.setSystemTime(Date.UTC(2029, 0, 1));
    await (await store.open({ sessionId: "b", caller }))?.append(["1"]);
    await add(store, ["c"]);
    expect(await paged(store)).toEqual(["c", "b"]);
  });
});

it("the order of files goes on in the next process, whose clock may be behind", async () => {
  const folder = join(root, String(++folders));
  await fileSessionStore<string>(folder).create({ sessionId: "a", caller }, { cwd: "/w" });
  vi.setSystemTime(Date.UTC(2029, 0, 1));
  const next = fileSessionStore<string>(folder);
  await next.create({ sessionId: "b", caller }, { cwd: "/w" });
  expect(await paged(next)).toEqual(["b", "a"]);
});
