import { isObject } from "@editwire/core";
import { type SideName, tokenVariables } from "./endpoint.js";

/** How many causes of an error are looked at. */
const maxCauses = 5;

/** Where an error came from. */
export interface ErrorPlace {
  readonly side: SideName;
  /** The option that names the agent's protocol. */
  readonly protocolFlag: "--to" | "--protocol";
  /** Whether the variable of the side's token is set. */
  readonly hasToken: boolean;
}

/**
 * The line that shows an error to the user of the command line: its text, with flags in place of functions, and the
 * variable of the token that a refusal is about.
 */
export function errorLine(error: unknown, { side, protocolFlag, hasToken }: ErrorPlace): string {
  const text = error instanceof Error ? error.message : String(error);
  const flags = text.replace(/\bspawn\w+ or connect\w+ of @editwire\/(acp|eca)\b/, `${protocolFlag} $1`);
  if (!isUnauthorized(error)) return flags;
  const variable = tokenVariables[side];
  return hasToken
    ? `${flags}; the token in ${variable} is not accepted`
    : `${flags}; a token is required: set ${variable}`;
}

/** True for an answer of the status 401, or an error that one has caused. */
function isUnauthorized(error: unknown): boolean {
  let each = error;
  for (let causes = 0; causes < maxCauses && each instanceof Error; causes += 1) {
    const { data } = each as { readonly data?: unknown };
    if (isObject(data) && data["status"] === 401) return true;
    each = each.cause;
  }
  return false;
}
