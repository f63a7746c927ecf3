import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/**
 * Starts one of the package's workers. Its file stands at the place that is given from this module, with this module's
 * extension: `.js` or `.cjs` in what is published, and `.ts` in its repository, whose tests run from source.
 */
export function startWorker(name: string, workerData?: unknown): Worker {
  const extension = extname(fileURLToPath(import.meta.url));
  const file = new URL(`./${name}${extension}`, import.meta.url);
  return new Worker(extension === ".ts" ? withLoader(file) : file, { workerData });
}

/** A module that runs a TypeScript file, because a worker does not have the loader of the tests. */
function withLoader(file: URL): URL {
  const loader = new URL("index.mjs", pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api"))).href;
  const source = `import { register } from "${loader}"; register(); await import("${file.href}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}
