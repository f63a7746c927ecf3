/** The agent's work, in turns one after another. */
export interface Errand {
  readonly turns: number;
  /** Updates of each turn's answer. */
  readonly updates: number;
  /** Each update is a message of its own; otherwise all are of one, whose text grows. */
  readonly apart: boolean;
}

/** The text that each update adds. */
export const piece = "a few words of text, ";

/** How long the answers are together. */
export function lengthOf({ turns, updates }: Errand): number {
  return turns * updates * piece.length;
}
