import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { meetings, orders } from "../src/demo/examples.js";
import { copyOf, post, type Program, startBackend, startIde } from "./programs.js";

/** The tools that the agent called in a project, in their order. */
function callsIn({ lines }: Program, projectKey: string): string[] {
  return lines.flatMap((line) => new RegExp(`^agent → ${projectKey} +(\\w+)`).exec(line)?.[1] ?? []);
}

it("an agent repairs a Java and a TypeScript project at once, with tools that run in two other processes", async () => {
  const { backend, url } = await startBackend();
  const work = async ({ projectKey, prompt, file, fixed }: typeof orders): Promise<void> => {
    const folder = await copyOf(projectKey);
    const ide = startIde(url, projectKey, folder);
    const answer = await (await post(url, { projectKey, prompt })).text();
    expect(answer).toContain(`to \`${fixed}\` in \`${file}\``);
    expect(await readFile(join(folder, file), "utf8")).toContain(fixed);
    const calls = ["grep_file", "call_chain", "read_file", "apply_change", "call_chain"];
    expect(callsIn(backend, projectKey)).toEqual(calls);
    expect(ide.lines).toEqual(calls.map((tool) => `IDE ${projectKey}`.padEnd(20) + `runs ${tool}`));
  };
  await Promise.all([work(orders), work(meetings)]);
});

it("calls a tool again in the IDE that comes back after it was killed in the middle of the call", async () => {
  const { projectKey, prompt, file, fixed } = orders;
  const { backend, url } = await startBackend();
  const folder = await copyOf(projectKey);
  const ide = startIde(url, projectKey, folder, "--hold", "call_chain");
  const answer = post(url, { projectKey, prompt }).then((response) => response.text());
  await ide.prints("runs call_chain");
  await ide.kill();
  expect(await backend.prints("orders ✗ agent")).toMatch(/call_chain: the connection broke/);

  startIde(url, projectKey, folder);
  expect(await answer).toContain(fixed);
  expect(await readFile(join(folder, file), "utf8")).toContain(fixed);
  expect(callsIn(backend, projectKey).slice(0, 3)).toEqual(["grep_file", "call_chain", "call_chain"]);
});

it("looks whether a change was made before it makes it again", async () => {
  const { projectKey, prompt, file, fixed } = meetings;
  const { backend, url } = await startBackend();
  const folder = await copyOf(projectKey);
  const before = await readFile(join(folder, file), "utf8");
  const ide = startIde(url, projectKey, folder, "--hold", "apply_change");
  const answer = post(url, { projectKey, prompt }).then((response) => response.text());
  await ide.prints("runs apply_change");
  await ide.kill();
  await backend.prints("meetings ✗ agent");
  expect(await readFile(join(folder, file), "utf8")).toBe(before);

  startIde(url, projectKey, folder);
  expect(await answer).toContain("It has not, so I make it again.");
  expect(callsIn(backend, projectKey).slice(3, 6)).toEqual(["apply_change", "read_file", "apply_change"]);
  expect(await readFile(join(folder, file), "utf8")).toContain(fixed);
});
