/** What an error says; a handler may throw anything. */
export function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "an error without a text";
  }
}
