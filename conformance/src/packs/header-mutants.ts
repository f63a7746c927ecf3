import { mutant, type Mutant } from "../core/mutant.js";
import { encodedWith } from "./encodings.js";

/** The requirements that broken headers violate. */
export interface HeaderRules {
  /** The output holds framed messages and nothing else. */
  readonly framed: string;
  /** Fields are written as `name: value`, and end with a carriage return and a line feed, as the header does. */
  readonly form: string;
  /** A header holds what is listed, in that spelling. */
  readonly listed: string;
}

/** Targets that break one rule about headers each, in every message. */
export function headerMutants(
  prefix: string,
  cases: readonly string[],
  { framed, form, listed }: HeaderRules,
): readonly Mutant[] {
  const broken = (
    name: string,
    violates: string,
    header: (size: number) => string | Uint8Array,
    collateral: readonly string[] = [],
  ): Mutant =>
    mutant(`${prefix}/${name}`, { violates: [violates], collateral, cases, patch: { encode: encodedWith(header) } });
  return [
    broken("headers-without-colons", framed, (size) => `Content-Length ${size}\r\n\r\n`),
    broken("headers-in-utf-16", framed, (size) => Buffer.from(`Content-Length: ${size}\r\n\r\n`, "utf16le")),
    broken("headers-without-an-end", framed, (size) => `Content-Length: ${size}\r\n`),
    broken("headers-without-spaces", form, (size) => `Content-Length:${size}\r\n\r\n`, [listed]),
    broken("headers-end-with-a-line-feed", form, (size) => `Content-Length: ${size}\r\n\n`),
  ];
}
