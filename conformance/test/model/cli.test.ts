import { spawn } from "node:child_process";
import { once } from "node:events";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { firstLine } from "../../../scripts/testing/lines.js";
import { recipeOf } from "../../src/cli/target.js";
import type { ModelUrls } from "../../src/model/server.js";
import { bin } from "../programs.js";

test("conformance model serves until it is stopped, and writes the requests it got", async () => {
  const [command, ...args] = [...bin, "model", "--port", "0", "--target", "coding-agent", "--log"] as const;
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const urls = JSON.parse(await firstLine(child.stdout)) as ModelUrls;
  const client = new OpenAI({ baseURL: urls.openai, apiKey: "k" });
  const logged = firstLine(child.stderr);
  const tools = [{ type: "function" as const, function: { name: "read_file" } }];
  const { choices } = await client.chat.completions.create({
    model: "m",
    messages: [{ role: "user", content: "[[conf:tool-ok]]" }],
    tools,
  });
  expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: "read_file" } }]);
  expect(JSON.parse(await logged)).toEqual({
    api: "openai-chat",
    model: "m",
    messages: 1,
    stream: false,
    end: "answered",
  });
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});

test("a recipe is for what the suite starts", () => {
  expect(recipeOf({})).toBeUndefined();
  expect(recipeOf({ behaviors: "model" })?.name).toBe("any");
  expect(recipeOf({ behaviors: "model", url: "http://127.0.0.1:1" })).toBeUndefined();
  expect(recipeOf({ target: "openai" })?.env).toMatchObject({ OPENAI_API_KEY: "conformance" });
  expect(() => recipeOf({ target: "openai", unix: "/tmp/x" })).toThrow("--target starts a command");
});
