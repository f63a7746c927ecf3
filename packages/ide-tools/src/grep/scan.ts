import { ToolError } from "../errors.js";
import { startWorker } from "../workers.js";
import type { Engine, Hit } from "./engine.js";

/** What the worker of a search reports. */
export type ScanResult = { readonly hits: Hit[] } | { readonly refused: string };

/** Searches in a worker, without any other program. The worker ends with the search. */
export const scanEngine: Engine = async (request, signal) => {
  signal.throwIfAborted();
  const worker = startWorker("grep/scan-worker", request);
  try {
    const result = await new Promise<ScanResult>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      worker.on("error", reject);
      worker.on("message", resolve);
    });
    if ("refused" in result) throw new ToolError(result.refused);
    return result.hits;
  } finally {
    await worker.terminate();
  }
};
