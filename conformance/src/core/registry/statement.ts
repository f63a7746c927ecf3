/**
 * A statement of a spec: a table row, a list item, a sentence, a declaration in TypeScript, or an example in JSON if
 * the spec says with its examples what it says nowhere else. Headings, labels, table heads and other code are not
 * statements.
 */
export interface Statement {
  /**
   * `<section>:<kind><number>`, such as `5.1:t2r1` (row 1 of table 2 in 5.1), `4:l3`, `1:s2` or `1:j2` (the second
   * example, whose language begins with `j`); for a declaration its names, such as
   * `initialize:InitializeParams.processId`.
   */
  readonly anchor: string;
  /** The words of the spec with normalized whitespace. */
  readonly text: string;
  readonly line: number;
  /** The profile whose document it stands in; absent in the specification itself. */
  readonly profile?: string | undefined;
}
