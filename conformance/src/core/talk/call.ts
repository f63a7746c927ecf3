import { describePattern, matches, type Pattern } from "../../trace/pattern.js";
import { ExpectationError } from "../errors.js";
import { type ErrorBody, idKey } from "./message.js";
import { handled, requireValid, type WaitOptions, type Waits } from "./waits.js";

/** The answer to a request of the suite. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: ErrorBody | undefined;
  readonly at: number;
}

/** A request of the suite. */
export interface Call {
  readonly id: unknown;
  readonly method: string;
  /** Any valid answer. */
  response(options?: WaitOptions): Promise<Answer>;
  /** The result; an error answer is an `ExpectationError`. */
  result(pattern?: Pattern, options?: WaitOptions): Promise<Record<string, unknown>>;
  /** The error; a result is an `ExpectationError`. `code` may be one code or several. */
  error(code?: number | readonly number[], options?: WaitOptions): Promise<ErrorBody>;
}

/**
 * A call that was sent, by its id. Its answer can be awaited more than once. `kind` names the calls that a target
 * answers in the same way.
 */
export function callOf(waits: Waits, id: unknown, method: string, kind = method): Call {
  const response = async (options?: WaitOptions): Promise<Answer> => {
    const what = `the answer to ${method} (id ${idKey(id)})`;
    const look = () =>
      waits.history().find(({ is }) => (is.kind === "result" || is.kind === "error") && idKey(is.id) === idKey(id));
    const message = await waits.until({ what, kind: `the answer to ${kind}`, look }, options);
    waits.consume(message);
    requireValid(message, what);
    const { is, entry } = message;
    return is.kind === "error"
      ? { error: is.error, at: entry.seq }
      : { result: is.kind === "result" ? is.result : undefined, at: entry.seq };
  };
  const result = async (pattern?: Pattern, options?: WaitOptions): Promise<Record<string, unknown>> => {
    const answer = await response(options);
    const expected = `a result of ${method}${pattern === undefined ? "" : ` like ${describePattern(pattern)}`}`;
    if (answer.error !== undefined)
      throw new ExpectationError("mismatch", `${method} was refused`, {
        expected,
        actual: { error: answer.error },
        at: answer.at,
      });
    if (!matches(answer.result, pattern))
      throw new ExpectationError("mismatch", `${method} has an unexpected result`, {
        expected,
        actual: answer.result,
        at: answer.at,
      });
    return answer.result as Record<string, unknown>;
  };
  const error = async (code?: number | readonly number[], options?: WaitOptions): Promise<ErrorBody> => {
    const answer = await response(options);
    const codes = code === undefined ? undefined : [code].flat();
    const expected = `an error${codes === undefined ? "" : ` with code ${codes.join(" or ")}`} for ${method}`;
    if (answer.error === undefined)
      throw new ExpectationError("mismatch", `${method} was not refused`, {
        expected,
        actual: { result: answer.result },
        at: answer.at,
      });
    if (codes !== undefined && !codes.includes(answer.error.code)) {
      throw new ExpectationError("mismatch", `${method} was refused with an unexpected code`, {
        expected,
        actual: { error: answer.error },
        at: answer.at,
      });
    }
    return answer.error;
  };
  return {
    id,
    method,
    response: (options) => handled(response(options)),
    result: (pattern, options) => handled(result(pattern, options)),
    error: (code, options) => handled(error(code, options)),
  };
}
