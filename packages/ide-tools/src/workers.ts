import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/** How a worker is started. */
export interface WorkerSettings {
  /** Its `workerData`. */
  readonly data?: unknown;
  /** Megabytes that its objects take at most. Default 512. */
  readonly maxMb?: number | undefined;
}

/**
 * Starts one of the package's workers. Its file stands at the place that is given from this module, with this module's
 * extension: `.js` or `.cjs` in what is published, and `.ts` in its repository, whose tests run from source.
 */
export function startWorker(name: string, { data, maxMb = 512 }: WorkerSettings = {}): Worker {
  const extension = extname(fileURLToPath(import.meta.url));
  const file = new URL(`./${name}${extension}`, import.meta.url);
  return new Worker(extension === ".ts" ? withLoader(file) : file, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: maxMb },
  });
}

/** Recognizes the error of a worker that needs more memory. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** A module that runs a TypeScript file, because a worker does not have the loader of the tests. */
function withLoader(file: URL): URL {
  const loader = new URL("index.mjs", pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api"))).href;
  const source = `import { register } from "${loader}"; register(); await import("${file.href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}
