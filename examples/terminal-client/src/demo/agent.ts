import { fileURLToPath } from "node:url";

/** Milliseconds between two pieces of the scripted model's answers, so that the stream can be seen. */
const chunkDelayMs = 15;

/** The command of this repository's coding agent, run from source. */
export function codingAgentCommand({ slowly }: { slowly: boolean }): string[] {
  const main = fileURLToPath(new URL("../../../coding-agent/src/main.ts", import.meta.url));
  const run = [process.execPath, "--import", import.meta.resolve("tsx"), "--conditions=@editwire/source", main, "acp"];
  return slowly ? [...run, "--chunk-delay", String(chunkDelayMs)] : run;
}
