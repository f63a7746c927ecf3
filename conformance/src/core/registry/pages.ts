import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { normalize } from "./statements.js";
import { type Statement } from "./statement.js";

/** A document on the web: the sentences of it that the registry quotes, by page and section. */
const Pages = z.strictObject({
  /** Where the pages are, and under which license. */
  source: z.url(),
  license: z.string(),
  pages: z.record(z.string(), z.array(z.string()).min(1)),
});

/**
 * Reads the statements of a document that defines a profile. Only what is quoted is kept here: the anchor of a sentence
 * is its page, the section of the page, and its number among the kept ones, such as `prompt-turn#cancellation:2`.
 * Throws a `TypeError` that names the file.
 */
export function readPages(file: string, profile: string): Statement[] {
  const found = Pages.safeParse(parse(readFileSync(file, "utf8")));
  if (!found.success) throw new TypeError(`${file}: ${z.prettifyError(found.error)}`);
  return Object.entries(found.data.pages).flatMap(([page, sentences]) =>
    sentences.map((text, index) => ({
      anchor: `${page}:${index + 1}`,
      text: normalize(text),
      line: index + 1,
      profile,
    })),
  );
}
