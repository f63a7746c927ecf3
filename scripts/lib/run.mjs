// Child processes of the checks.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * Runs a command and resolves with its exit code and everything it printed; it ends after twenty minutes at the latest.
 */
export function run(command, args, { cwd, env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 1_200_000,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ code: 1, output: String(error) }));
    child.on("close", (code) => resolve({ code: code ?? 1, output: output.trim() }));
  });
}

/** Like `run`, with findings: none when it succeeded, else one that names the step and shows the end of the output. */
export async function findingsOf(step, command, args, options) {
  const { code, output } = await run(command, args, options);
  return code === 0 ? [] : [`${step}: exit code ${code}\n${output.split("\n").slice(-40).join("\n")}`];
}

/**
 * Runs jobs that give findings, as many at a time as there are processors, and gives all findings in the jobs' order.
 */
export async function inParallel(jobs) {
  const findings = [];
  const waiting = jobs.entries();
  const worker = async () => {
    for (const [index, job] of waiting) findings[index] = await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return findings.flat();
}
