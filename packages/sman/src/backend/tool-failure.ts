import {
  describeIssues,
  type Diagnostic,
  deviationsOf,
  isObject,
  type Issue,
  type Profile,
  RemoteError,
  repair,
  validatorOf,
  WireError,
} from "@editwire/core";
import { sman, type ToolResult } from "@editwire/sman-schema";

/** The code of the `RemoteError` with which a call of a tool that failed rejects. */
export const toolFailed = -32000;

/** The text of an error without one. */
export const unknownError = "未知错误";

const method = "TOOL_CALL";

/**
 * Makes the reader of failed results. It returns a `RemoteError` with the tool's text, and throws `invalid_result` for
 * a result that cannot be read; `strict` also refuses what the deviations table would repair. The result of a tool that
 * succeeded is left to the connection.
 */
export function failureReader(
  profile: Profile,
  strict: boolean,
  report: (diagnostic: Diagnostic) => void,
): (params: unknown) => RemoteError | undefined {
  const validator = validatorOf(sman.methods.TOOL_CALL.result);
  const deviations = (result: unknown): Issue[] =>
    deviationsOf(profile, method, "result", result).map(({ id, summary }) => ({
      path: "result",
      message: `${id}: ${summary}`,
    }));
  return (params) => {
    if (isObject(params) && params["success"] === true) return undefined;
    if (strict) check(deviations(params));
    const result = strict ? params : repair(profile, method, "result", params, report);
    check(validator.issues(result, "result"));
    const { result: text, error, success } = result as ToolResult;
    return success ? undefined : new RemoteError(toolFailed, error || text || unknownError, result);
  };
}

function check(issues: Issue[]): void {
  if (issues.length > 0) throw new WireError("invalid_result", describeIssues(method, issues), { data: issues });
}
