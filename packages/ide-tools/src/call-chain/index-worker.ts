import { parentPort, workerData } from "node:worker_threads";
import { ToolError } from "../errors.js";
import type { ChainAnswer, ChainRequest } from "./call-chain.js";
import { openCallGraph } from "./call-graph.js";
import { chainsOf } from "./chain.js";
import { chainReport } from "./chain-report.js";
import { type IndexOptions, openCodeIndex } from "./code-index.js";

const options: IndexOptions = workerData;
const index = openCodeIndex(options);
let graph = openCallGraph(index);
let last = Promise.resolve();

// One after the other, so that an answer never sees half of an update.
parentPort?.on("message", (request: ChainRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)));
});

async function answer({ id, query, includeSource }: ChainRequest): Promise<ChainAnswer> {
  try {
    await index.update();
    if (graph.version !== index.version()) graph = openCallGraph(index);
    const report = chainReport(index, chainsOf(graph, query), { ...query, includeSource });
    return { id, report };
  } catch (error) {
    if (error instanceof ToolError) return { id, refused: error.message };
    return { id, failed: error };
  }
}
