import { runJob } from "../jobs/run-job.js";
import type { Engine } from "./engine.js";

/** Searches in a worker, without any other program. */
export const scanEngine: Engine = async (request, take, signal) => {
  await runJob("scan", request, { signal, onPart: (hits) => hits.every(take) });
};
