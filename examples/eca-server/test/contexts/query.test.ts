import type { ChatContext } from "@editwire/eca-schema";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { queryContexts } from "../../src/contexts/query.js";
import { signal, sourcesOf } from "../support/sources.js";
import { tempFolder } from "../support/temp-folder.js";

it("S35: finds the map, folders and files, and gives all for an empty query", async () => {
  const folder = await tempFolder({
    "src/Chat.ts": "",
    "src/util/chat-test.ts": "",
    "README.md": "",
    "dist/x.js": "",
    ".gitignore": "dist\n",
  });
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
  expect(await find("chat")).toEqual([
    { type: "file", path: path("src/Chat.ts") },
    { type: "file", path: path("src/util/chat-test.ts") },
  ]);
  expect(await find("util CHAT")).toEqual([{ type: "file", path: path("src/util/chat-test.ts") }]);
  expect((await find("util"))[0]).toEqual({ type: "directory", path: path("src/util") });
  expect(await find("nowhere")).toEqual([]);
  expect(await find("https://example.com/a?b")).toEqual([{ type: "web", url: "https://example.com/a?b" }]);
});

it("looks at the folder once for what the user types in a go, and soon again", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = await tempFolder({ "one.ts": "" });
  const sources = await sourcesOf(folder);
  const find = async (): Promise<ChatContext[]> => queryContexts(".ts", sources, signal);
  expect(await find()).toHaveLength(1);
  await writeFile(join(folder, "two.ts"), "");
  expect(await find()).toHaveLength(1);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await find()).toHaveLength(2);
});
