import type { ChatContext } from "@editwire/eca-schema";

/** The key by which two contexts are the same; lines of a file are not the file. */
function keyOf(context: ChatContext): string {
  const { type, path, url, uri, server, linesRange } = context as Record<string, unknown>;
  return JSON.stringify([type, path ?? url ?? uri, server, linesRange]);
}

/** The contexts that are not among the given ones, each once. */
export function withoutGiven(contexts: readonly ChatContext[], given: readonly ChatContext[]): ChatContext[] {
  const seen = new Set(given.map(keyOf));
  return contexts.filter((context) => {
    const key = keyOf(context);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
