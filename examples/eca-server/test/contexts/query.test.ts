import { join } from "node:path";
import { expect, it } from "vitest";
import { queryContexts } from "../../src/contexts/query.js";
import { signal, sourcesOf } from "../support/sources.js";
import { tempFolder } from "../support/temp-folder.js";

it("S35: finds the map, folders and files, and gives all for an empty query", async () => {
  const folder = await tempFolder({ "src/Chat.ts": "", "src/util/chat-test.ts": "", "README.md": "", "dist/x.js": "", ".gitignore": "dist\n" });
  const find = async (query: string) => queryContexts(query, await sourcesOf(folder), signal);
  const path = (name: string): string => join(folder, name);
  expect(await find("")).toEqual([
    { type: "repoMap" },
    { type: "directory", path: path("src") },
    { type: "directory", path: path("src/util") },
    { type: "file", path: path(".gitignore") },
    { type: "file", path: path("README.md") },
    { type: "file", path: path("src/Chat.ts") },
    { type: "file", path: path("src/util/chat-test.ts") },
  ]);
  expect(await find("chat")).toEqual([{ type: "file", path: path("src/Chat.ts") }, { type: "file", path: path("src/util/chat-test.ts") }]);
  expect(await find("util CHAT")).toEqual([{ type: "file", path: path("src/util/chat-test.ts") }]);
  expect((await find("util"))[0]).toEqual({ type: "directory", path: path("src/util") });
  expect(await find("nowhere")).toEqual([]);
  expect(await find("https://example.com/a?b")).toEqual([{ type: "web", url: "https://example.com/a?b" }]);
});
