import { startWorker } from "../workers.js";
import { type Engine, type Hit, patternError } from "./engine.js";

/** What the worker of a search reports: the hits of one file, and then the end of the search. */
export type ScanMessage = { readonly hits: readonly Hit[] } | { readonly refused: string } | { readonly isDone: true };

/** Searches in a worker, without any other program. The worker ends with the search. */
export const scanEngine: Engine = async (request, take, signal) => {
  signal.throwIfAborted();
  const worker = startWorker("grep/scan-worker", request);
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      worker.on("error", reject);
      worker.on("message", (message: ScanMessage) => {
        if ("refused" in message) reject(patternError(message.refused));
        else if ("isDone" in message || !message.hits.every(take)) resolve();
      });
    });
  } finally {
    await worker.terminate();
  }
};
