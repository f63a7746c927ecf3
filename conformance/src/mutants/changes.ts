/** Called with the number of a message that was changed, what it was, and what was written in its place. */
export type OnChange = (number: number, before: string, after: readonly string[]) => void;

/** Counts the messages of the side that a man in the middle breaks, and reports those that it changes. */
export class Changes {
  /** Messages that were read. */
  messages = 0;
  /** How many of them were changed. */
  changed = 0;

  constructor(readonly onChange: OnChange = () => {}) {}

  /** Takes a message, and what is written for it. */
  take(before: string, after: readonly string[], isChanged: boolean): void {
    this.messages += 1;
    if (!isChanged) return;
    this.changed += 1;
    this.onChange(this.messages, before, after);
  }
}
