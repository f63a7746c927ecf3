import type { NoEdit } from "../apply-change/match.js";
import { prettierJob, type PrettierRequest } from "../apply-change/prettier-job.js";
import { type EditedText, replacePassage } from "../apply-change/edit.js";
import { type EditedFile, editFile, type EditRequest } from "../apply-change/edit-file.js";
import { type Match, matchesOf } from "../grep/confirm.js";
import type { Found, Hit, SearchRequest } from "../grep/engine.js";
import { grepReport, type GrepReportInput } from "../grep/grep-report.js";
import { scan } from "../grep/scan-files.js";
import { readReport, type ReadReportInput } from "../read-report.js";
import { decodeText, encodeText, type TextFile } from "../text/encoding.js";
import { type Excerpt, type ExcerptLimits, type LineRange, readExcerpt } from "../text/excerpt.js";
import { countLines } from "../text/lines.js";
import { hasPlainRules, listFolder, type ListRequest } from "../workspace/walk.js";

/** A file that is to be written. */
export interface EncodedFile {
  readonly bytes: Uint8Array;
  readonly lines: number;
}

/** A function that runs in a worker. */
interface Job<Input, Output, Part = never> {
  readonly input: Input;
  readonly output: Output;
  /** The type of the messages that it posts before it ends. */
  readonly part: Part;
}

/** The jobs by name. */
export interface JobTypes {
  readonly decode: Job<{ path: string; bytes: Uint8Array; fallbackEncoding: string | undefined }, TextFile>;
  readonly edit: Job<EditRequest, EditedFile>;
  readonly editText: Job<{ text: string; search: string; replacement: string }, EditedText | NoEdit>;
  readonly encode: Job<{ path: string; file: TextFile }, EncodedFile>;
  readonly excerpt: Job<{ text: string; range: LineRange; limits: ExcerptLimits }, Excerpt>;
  readonly grepReport: Job<GrepReportInput, string>;
  readonly hasPlainRules: Job<string, boolean>;
  readonly list: Job<ListRequest, void, readonly string[]>;
  readonly matches: Job<Found & { readonly limit: number }, Match[]>;
  readonly prettier: Job<PrettierRequest, string | undefined>;
  readonly readReport: Job<ReadReportInput, string>;
  readonly scan: Job<SearchRequest, void, readonly Hit[]>;
}

export type JobName = keyof JobTypes;
export type JobInput<Name extends JobName> = JobTypes[Name]["input"];
export type JobOutput<Name extends JobName> = JobTypes[Name]["output"];
export type JobPart<Name extends JobName> = JobTypes[Name]["part"];

/** Does a job. It may block: most jobs take time linear in their input, and others are run in workers only. */
export type JobFunction<Name extends JobName> = (
  input: JobInput<Name>,
  post: (part: JobPart<Name>) => void,
) => JobOutput<Name> | Promise<JobOutput<Name>>;

export const jobs: { readonly [Name in JobName]: JobFunction<Name> } = {
  decode: ({ path, bytes, fallbackEncoding }) => decodeText(path, bytes, fallbackEncoding),
  edit: editFile,
  editText: ({ text, search, replacement }) => replacePassage(text, search, replacement),
  encode: ({ path, file }) => ({ bytes: encodeText(path, file), lines: countLines(file.text) }),
  excerpt: ({ text, range, limits }) => readExcerpt(text, range, limits),
  grepReport,
  hasPlainRules,
  list: listFolder,
  matches: matchesOf,
  prettier: prettierJob,
  readReport,
  scan,
};
