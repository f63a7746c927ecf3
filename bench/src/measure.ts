import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import type { Figures, Job, ToolsJob } from "./jobs/job.js";

/** How long one measurement may take before it counts as stuck. */
const limitMs = 15 * 60_000;

/** Runs one job in a process of its own. Throws when that fails or does not end. */
export async function measureInProcess(
  program: string,
  job: Job | ToolsJob,
  execArgv: readonly string[],
): Promise<Figures> {
  const child = fork(program, [JSON.stringify(job)], {
    execArgv: [...execArgv],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  let figures: Figures | undefined;
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.on("message", (message) => (figures = message as Figures));
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  if (figures === undefined)
    throw new Error(`${JSON.stringify(job)} gave no figures: ${signal ?? `exit code ${code}`}\n${said}`);
  if (said !== "") process.stderr.write(said);
  return figures;
}

const importer = `
  const [url] = process.argv.slice(1);
  const rss = process.memoryUsage.rss();
  const spent = process.cpuUsage();
  const start = performance.now();
  await import(url);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(spent);
  console.log(JSON.stringify({ ms, cpu: (user + system) / 1_000, rss: (process.memoryUsage.rss() - rss) / 1_048_576 }));
`;

/** Times the import of one module in a new process; milliseconds, of processors too, and MB. */
export async function measureImport(url: string): Promise<Figures> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", importer, url]);
  return JSON.parse(stdout) as Figures;
}
