// Measures the tools of an IDE once: the job comes as an argument, the figures leave over IPC.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import { type IdeTools, openIdeTools } from "@editwire/ide-tools";
import type { Figures, ToolsJob } from "../jobs/job.js";
import { needle, needles } from "../projects.js";

/** The time of some work in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The middle of an odd number of times. */
async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let time = 0; time < times; time += 1) all.push(await timed(work));
  return all.sort((a, b) => a - b)[Math.floor(times / 2)] ?? NaN;
}

/** The figures of some work, and the longest time in milliseconds for which it blocked the event loop. */
async function watched(work: () => Promise<Figures>): Promise<Figures> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const figures = await work();
  delay.disable();
  return { ...figures, delay: delay.max / 1e6 };
}

/** ripgrep by itself, which lists the lines of the files that `grep_file` searches. */
async function ripgrep(root: string): Promise<void> {
  const { rgPath } = createRequire(import.meta.url)("@vscode/ripgrep") as { rgPath: string };
  const rules = ["--hidden", "--no-require-git", "--glob", "!.git", "--glob", "!node_modules", "--max-filesize", "2M"];
  const flags = ["--fixed-strings", "--ignore-case", "--line-number", ...rules];
  const child = spawn(rgPath, [...flags, "--", needle, "./"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  check(output.split("\n").length - 1, output);
}

async function search(tools: IdeTools): Promise<void> {
  const report = await tools.grep_file({ pattern: needle, limit: needles });
  check(report.split("- **Line").length - 1, report);
}

function check(found: number, report: string): void {
  if (found !== needles) throw new Error(`expected ${needles} lines, found ${found}:\n${report.slice(0, 2_000)}`);
}

async function grep({ contender, root }: ToolsJob): Promise<Figures> {
  if (contender === "floor/ide-tools") {
    await ripgrep(root);
    return { ms: await median(5, () => ripgrep(root)) };
  }
  const searchEngine = contender === "editwire/ide-tools" ? "ripgrep" : "scan";
  const tools = await openIdeTools(root, { searchEngine });
  await search(tools); // the first one reads the files from the disk
  return watched(async () => ({ ms: await median(5, () => search(tools)) }));
}

async function chain({ root }: ToolsJob): Promise<Figures> {
  const tools = await openIdeTools(root);
  const call = async (): Promise<void> => {
    const report = await tools.call_chain({ method: "Service1.step3", depth: 2 });
    if (!report.includes("Service2.step3") || !report.includes("Service0.step3"))
      throw new Error(`expected the callers and the callees of Service1.step3:\n${report}`);
  };
  const file = join(root, "src/main/java/com/example/part0/Service1.java");
  const figures = await watched(async () => ({
    first: await timed(call),
    next: await median(5, call),
    changed: await median(5, async () => {
      await appendFile(file, "// changed\n");
      await call();
    }),
  }));
  await tools.close();
  return figures;
}

const job = JSON.parse(process.argv[2] ?? "") as ToolsJob;
const figures = await (job.kind === "grep" ? grep(job) : chain(job));
process.send?.(figures, () => process.exit());
