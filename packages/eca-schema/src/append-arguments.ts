/**
 * Adds the `argumentsText` of the next `toolCallPrepare`, whether the server repeats the whole text or sends only the
 * next piece.
 */
export function appendArguments(previous: string, next: string): string {
  return next.startsWith(previous) ? next : previous + next;
}
