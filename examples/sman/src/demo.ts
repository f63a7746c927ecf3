import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unifiedDiff } from "@editwire/example-coding-agent";
import { smanTools } from "@editwire/sman-schema";
import { Command, Option } from "commander";
import { type Example, meetings, orders } from "./demo/examples.js";
import { end, endAll, messageOf, start, token } from "./demo/programs.js";
import { openTranscript } from "./transcript.js";

const projects = fileURLToPath(new URL("../projects", import.meta.url));
const { say } = openTranscript();

/** Gives a task to the backend, and waits until the agent has finished it. */
async function post(url: string, { projectKey, prompt }: Example): Promise<void> {
  const response = await fetch(`${url}/tasks`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ projectKey, prompt }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the backend answered ${response.status}: ${text}`);
}

/** One project from its task to the change on the disk. Returns whether the defect is fixed. */
async function show(example: Example, url: string, folder: string, killIn?: string): Promise<boolean> {
  const { projectKey, title, file, fixed } = example;
  console.log(`\n${title}\n`);
  const before = await readFile(join(folder, file), "utf8");
  const ide = ["ide", "--url", url, "--project", projectKey, "--folder", folder];
  let host = start(...ide, ...(killIn === undefined ? [] : ["--hold", killIn]));
  await messageOf(host); // it is connected
  const finished = post(url, example);
  if (killIn !== undefined) {
    const held = messageOf(host);
    held.catch(() => {});
    await Promise.race([held, finished]);
    say("demo", `kills the IDE ${projectKey} with SIGKILL, in the middle of ${killIn}, and starts it again`);
    await end(host, "SIGKILL");
    host = start(...ide);
  }
  await finished;
  const after = await readFile(join(folder, file), "utf8");
  const diff = unifiedDiff(file, before, after);
  say("on the disk", file, diff.split("\n").slice(3).join("\n"));
  await end(host, "SIGTERM");
  return after.includes(fixed);
}

async function demo(killIn: string): Promise<boolean> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), "editwire-sman-")));
  try {
    await cp(projects, parent, { recursive: true });
    const { url } = await messageOf<{ url: string }>(start("backend"));
    const isFixed = await show(orders, url, join(parent, orders.projectKey));
    return (await show(meetings, url, join(parent, meetings.projectKey), killIn)) && isFixed;
  } finally {
    await endAll();
    await rm(parent, { recursive: true, force: true });
  }
}

const { killIn } = new Command("demo")
  .description("Lets an agent on a backend repair two projects, with the tools of the IDEs in which they are open.")
  .addOption(
    new Option("--kill-in <tool>", "the tool in whose call the second IDE is killed")
      .choices(Object.keys(smanTools))
      .default("call_chain"),
  )
  .parse()
  .opts<{ killIn: string }>();
process.exitCode = (await demo(killIn)) ? 0 : 1;
