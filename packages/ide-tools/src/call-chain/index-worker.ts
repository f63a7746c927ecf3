import { parentPort, workerData } from "node:worker_threads";
import { ToolError } from "../errors.js";
import { refusalOf } from "../jobs/messages.js";
import { wordingOf } from "../wording/wording.js";
import { openCallGraph } from "./call-graph.js";
import { chainReport } from "./chain-report.js";
import { type IndexOptions, openCodeIndex } from "./code-index.js";
import type { ChainAnswer, ChainRequest } from "./messages.js";

const options: IndexOptions = workerData;
const index = openCodeIndex(options);
let graph = openCallGraph(index);
let last = Promise.resolve();

// One after the other, so that an answer never sees half of an update.
parentPort?.on("message", (request: ChainRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)));
});

async function answer({ id, query, language, maxChars, endsAt }: ChainRequest): Promise<ChainAnswer> {
  const isOver = (): boolean => Date.now() > endsAt;
  try {
    if (!(await index.update(isOver))) return { id, isOver: true };
    if (graph.version !== index.version()) graph = openCallGraph(index);
    return { id, report: chainReport(graph, query, { words: wordingOf(language), maxChars }) };
  } catch (error) {
    return error instanceof ToolError ? { id, refusal: refusalOf(error) } : { id, failed: error };
  }
}
