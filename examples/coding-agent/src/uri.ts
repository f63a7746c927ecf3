import { fileURLToPath } from "node:url";

/** The path of a `file:` URI; `undefined` for any other. */
export function pathOfUri(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}
