import { expect, it } from "vitest";
import { smanHandlers } from "../src/handlers.js";
import { openIdeTools } from "../src/tools.js";
import { tempFolder } from "./support/temp-folder.js";

const site = { projectKey: "p", webSocketSessionId: "s" };
const context = { signal: new AbortController().signal };

it("a plugin executes the tools, and what they refuse is an outcome with the tool's text", async () => {
  const handlers = smanHandlers(await openIdeTools(await tempFolder({ "a.txt": "one\n" })));
  const file = { ...site, relativePath: "a.txt" };
  const outcomes = [
    await handlers.read_file(file, context),
    await handlers.grep_file({ ...file, pattern: "one" }, context),
    await handlers.apply_change({ ...file, searchContent: "one", replaceContent: "two" }, context),
  ];
  expect(outcomes).toMatchObject(Array.from({ length: 3 }, () => ({ success: true })));
  expect(await handlers.read_file({ ...site, relativePath: "b.txt" }, context)).toEqual({
    success: false,
    error: "文件不存在: b.txt",
  });
  expect(await handlers.call_chain({ ...site, method: "run" }, context)).toMatchObject({ success: false });
});

it("an error that is not a refusal passes through, so that the plugin keeps its text to itself", async () => {
  const tools = await openIdeTools(await tempFolder());
  const broken = { ...tools, read_file: () => Promise.reject(new TypeError("internal")) };
  const call = smanHandlers(broken).read_file({ ...site, relativePath: "a" }, context);
  await expect(call).rejects.toThrow(TypeError);
});
