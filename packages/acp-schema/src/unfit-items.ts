import {
  type AnySchema,
  type Deviation,
  isObject,
  type Part,
  type Places,
  repaired,
  validatorOf,
} from "@editwire/core";
import { keepRaw } from "./keep-raw.js";

/** A list whose elements are useful without each other. */
export interface List {
  readonly id: string;
  /** One element, for the summary. */
  readonly element: string;
  /** Where the objects with the list stand. */
  readonly at: Places;
  /** Default `params`. */
  readonly part?: Part;
  readonly field: string;
  readonly schema: AnySchema;
}

/**
 * Rows for elements that do not fit, in lists whose other elements are useful without them. The blocks of a prompt are
 * no such list: without one of its blocks, the prompt would mean something else.
 */
export function unfitItems(lists: readonly List[]): Deviation[] {
  return lists.flatMap(({ element, field, schema, part = "params", ...row }) =>
    repaired(
      { ...row, part, summary: `${element} that does not fit; it is left out`, seen: "no recorded peer" },
      (holder) => withoutUnfit(holder, field, schema),
    ),
  );
}

function withoutUnfit(holder: unknown, field: string, schema: AnySchema): unknown {
  if (!isObject(holder) || !Array.isArray(holder[field])) return holder;
  const all: readonly unknown[] = holder[field];
  const fitting = all.filter((each) => validatorOf(schema).fits(each));
  return fitting.length === all.length ? holder : keepRaw({ ...holder, [field]: fitting }, field, all);
}
