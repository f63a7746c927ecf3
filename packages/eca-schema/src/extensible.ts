import type { Schema } from "@editwire/core";
import * as z from "zod/mini";

/** An object of a kind that this version does not know. Its fields are kept as they came. */
export interface Extensible {
  [key: string]: unknown;
}

/** Any word: the known ones complete in an editor, and peers send others. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** A string whose known values are typed. */
export function openEnum<const Known extends string>(_known: readonly Known[]): Schema<OpenEnum<Known>> {
  return z.string() as unknown as Schema<OpenEnum<Known>>;
}

/** A map whose keys belong to the user (arguments, environment, headers): nothing ever renames them. */
export type UserMap<T = unknown> = Record<string, T>;
