import type { ToolErrorCode } from "../errors.js";

/** Facts about an error from which its text is made. */
export interface ErrorFacts {
  readonly message: string;
  readonly path: string;
  readonly detail: string;
}

/** The texts of reports and errors in one language. */
export interface Wording {
  /** The text of an error by its code; absent for a language in which the error's own message is written. */
  readonly errors?: Readonly<Record<ToolErrorCode, (facts: ErrorFacts) => string>> | undefined;
  /** The note at the end of a report that was cut off. */
  readonly cutOff: (maxChars: number) => string;
  readonly yes: string;
  readonly no: string;
  readonly line: (line: number) => string;
  readonly search: {
    readonly ofProject: string;
    readonly ofFile: (name: string) => string;
    readonly pattern: string;
    readonly isRegex: string;
    readonly isCaseSensitive: string;
    readonly fileType: string;
    readonly unknownType: (type: string) => string;
    readonly count: string;
    readonly nothing: (pattern: string) => string;
    readonly others: (count: number, orMore: boolean) => string;
  };
  readonly reading: {
    readonly file: (name: string) => string;
    readonly type: string;
    readonly lines: string;
    readonly size: string;
    readonly bytes: (bytes: number) => string;
    readonly asked: string;
    readonly end: string;
    readonly shown: string;
    readonly nothing: string;
    readonly count: string;
    readonly cut: string;
    readonly cutAt: (maxChars: number) => string;
    readonly rest: (lines: number) => string;
  };
  readonly change: {
    readonly created: string;
    readonly applied: string;
    readonly description: string;
    readonly noDescription: string;
    readonly lines: string;
    readonly match: string;
    readonly exact: string;
    readonly fuzzy: string;
    readonly firstLine: string;
    readonly note: string;
    readonly same: string;
    readonly formatting: string;
    readonly formatted: string;
    readonly noFormatter: string;
    readonly notFormatted: string;
    readonly formatterFailed: string;
  };
  readonly chain: {
    readonly heading: (title: string) => string;
    readonly method: string;
    readonly place: string;
    readonly direction: string;
    readonly depth: string;
    readonly callers: string;
    readonly noCallers: string;
    readonly callees: string;
    readonly noCallees: string;
    readonly isCut: string;
    readonly calls: (lines: string) => string;
    readonly outside: string;
    readonly topLevel: string;
    readonly possible: string;
    readonly sources: string;
    readonly restOfMethod: (lines: number) => string;
  };
}
