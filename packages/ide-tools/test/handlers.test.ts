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

it("reports and refusals are in Chinese, as on the wire of the protocol", async () => {
  const files = {
    "a.txt": "one\none\n",
    "dir/b.txt": "",
    "bin.dat": "\0",
    "A.java": "class A { void run() { stop(); } }",
  };
  const tools = await openIdeTools(await tempFolder(files));
  const handlers = smanHandlers(tools);
  const file = { ...site, relativePath: "a.txt" };
  const change = { ...file, searchContent: "one", replaceContent: "two" };
  const method = { ...site, method: "A.run" };
  const texts = [
    [handlers.read_file(file, context), "## 文件: a.txt\n\n**relativePath**: a.txt\n**类型**: txt"],
    [handlers.grep_file({ ...file, pattern: "one" }, context), "- **第 1 行**: `one`"],
    [handlers.call_chain(method, context), "`stop` (项目外, 第 1 行调用)"],
    [handlers.apply_change({ ...change, relativePath: "c.txt", searchContent: "" }, context), "## 文件创建成功"],
    [handlers.apply_change(change, context), "匹配到 2 处"],
    [handlers.apply_change({ ...change, searchContent: "four" }, context), "未找到匹配的旧内容"],
    [handlers.read_file({ ...file, relativePath: "../x" }, context), "路径无效或超出项目范围: ../x"],
    [handlers.read_file({ ...file, relativePath: "dir" }, context), "不是文件, 是目录: dir"],
    [handlers.read_file({ ...file, relativePath: "bin.dat" }, context), "二进制文件, 无法作为文本处理: bin.dat"],
    [handlers.read_file({ ...file, line: 99, context_lines: 1 }, context), "行范围无效: a.txt 98-100 (1-2)"],
    [handlers.grep_file({ ...site, pattern: "x", limit: 2000 }, context), "参数无效: limit: "],
    [handlers.grep_file({ ...site, pattern: "(", regex: true }, context), "无效的正则表达式: "],
    [handlers.call_chain({ ...site, method: "A.stop" }, context), "未找到方法: A.stop"],
    [handlers.apply_change({ ...change, relativePath: ".git/config" }, context), "不允许写入: .git/config"],
  ] as const;
  for (const [outcome, text] of texts)
    expect(JSON.stringify(await outcome)).toContain(JSON.stringify(text).slice(1, -1));
  await tools.close();
});
