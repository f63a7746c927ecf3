import { describeIssues, type Issue, WireError } from "./errors.js";
import type { Diagnostic } from "./peer.js";
import { deviationsOf, type Part, type Profile, type ProfileFinder, repair, rewrite } from "./profile.js";
import type { AnySchema } from "./compile.js";
import { validatorOf } from "./validate.js";

/** Where a value belongs: a half of a method, and the schema of that half. */
export interface Place {
  readonly method: string;
  readonly part: Part;
  readonly schema: AnySchema;
}

/**
 * Both directions of one connection, in the dialect that is currently detected. They throw as `outgoing` and `incoming`
 * do.
 */
export function valuesIn(
  dialect: ProfileFinder,
  repairs: ((diagnostic: Diagnostic) => void) | undefined,
): { write(place: Place, value: unknown): unknown; read(place: Place, raw: unknown): unknown } {
  return {
    write: (place, value) => outgoing(dialect.found, place, value),
    read(place, raw) {
      dialect.look(place.method, place.part, raw);
      return incoming(dialect.found, place, raw, repairs);
    },
  };
}

/** Checks a value of this side, then writes it in the dialect's form. Throws a `WireError` for an invalid value. */
function outgoing(profile: Profile, { method, part, schema }: Place, value: unknown): unknown {
  const validator = validatorOf(schema);
  if (!validator.fits(value)) throw invalid(part, method, validator.issues(value, part));
  return rewrite(profile.encode, method, part, value);
}

/**
 * Reads a value of the peer from its dialect. A value that does not fit is repaired, unless `repairs` is `undefined`;
 * each repair is reported to it. Throws a `WireError` for a value that still does not fit.
 */
function incoming(
  profile: Profile,
  { method, part, schema }: Place,
  raw: unknown,
  repairs: ((diagnostic: Diagnostic) => void) | undefined,
): unknown {
  const validator = validatorOf(schema);
  let value = rewrite(profile.decode, method, part, raw);
  const isUsual = validator.fits(value);
  if (!isUsual) value = rewrite(profile.decodeUnfit, method, part, value);
  if (repairs === undefined) refuseDeviations(profile, method, part, value);
  if (isUsual || validator.fits(value)) return value;
  if (repairs !== undefined) value = repair(profile, method, part, value, repairs);
  if (!validator.fits(value)) throw invalid(part, method, validator.issues(value, part));
  return value;
}

function refuseDeviations(profile: Profile, method: string, part: Part, value: unknown): void {
  const issues = deviationsOf(profile, method, part, value).map(({ id, summary }) => ({
    path: part,
    message: `${id}: ${summary}`,
  }));
  if (issues.length > 0) throw invalid(part, method, issues);
}

function invalid(part: Part, method: string, issues: Issue[]): WireError {
  return new WireError(part === "params" ? "invalid_params" : "invalid_result", describeIssues(method, issues), {
    data: issues,
  });
}
