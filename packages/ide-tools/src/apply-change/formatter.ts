/** The file and the changed range of its text. */
export interface FormatRequest {
  /** The file, from the project's folder. */
  readonly path: string;
  /** The changed part of the text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Formats a text after a change, before it is written. Returns the whole new text, or `undefined` for a file that it
 * does not know. When it throws, the change is written without formatting.
 */
export type Formatter = (text: string, request: FormatRequest) => string | undefined | Promise<string | undefined>;
