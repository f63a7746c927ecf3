import { expect, it } from "vitest";
import { readPages } from "../src/index.js";
import type { ListPage } from "../src/mcp/read-pages.js";

/** Reads the pages of a table from cursors. `asked` gets the cursors that were asked for. */
function read(pages: Readonly<Record<string, ListPage<string>>>, asked: unknown[] = [], maxItems?: number) {
  const page = async (cursor = "first"): Promise<ListPage<string>> => {
    asked.push(cursor);
    return pages[cursor] ?? { items: [] };
  };
  return readPages(page, (item) => item, maxItems);
}

it("reads pages up to the one without a cursor", async () => {
  expect(await read({ first: { items: ["a"], nextCursor: "2" }, 2: { items: ["b", "c"] } })).toEqual(["a", "b", "c"]);
});

it.each(["", null, undefined])("ends at the cursor %j", async (nextCursor) => {
  const asked: unknown[] = [];
  expect(await read({ first: { items: ["a"], nextCursor } }, asked)).toEqual(["a"]);
  expect(asked).toEqual(["first"]);
});

it("ends at a cursor that was there before, and keeps each item once", async () => {
  const asked: unknown[] = [];
  const pages = { first: { items: ["a"], nextCursor: "x" }, x: { items: ["a"], nextCursor: "y" } };
  expect(await read({ ...pages, y: { items: ["b"], nextCursor: "x" } }, asked)).toEqual(["a", "b"]);
  expect(asked).toEqual(["first", "x", "y"]);
});

it("reads no more pages than the items that are wanted need", async () => {
  const asked: unknown[] = [];
  const pages = { first: { items: ["a", "b"], nextCursor: "2" }, 2: { items: ["c"], nextCursor: "3" } };
  expect(await read(pages, asked, 1)).toEqual(["a"]);
  expect(asked).toEqual(["first"]);
});

it("reads 100 pages at most", async () => {
  let page = 0;
  await readPages(
    async () => ({ items: [], nextCursor: String(++page) }),
    (item) => item,
  );
  expect(page).toBe(100);
});
