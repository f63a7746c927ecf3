import { isObject } from "@editwire/core";

/** The suite's answer to a permission request. */
export type PermissionAnswer = "allow_once" | "reject_once" | "cancelled";

/**
 * The result that answers a permission request: an option that was offered, found by its kind. Without an option of the
 * kind it is one of the same sense, such as `allow_always`, and without that it is `cancelled`.
 */
export function permissionResult(params: unknown, answer: PermissionAnswer): { outcome: Record<string, unknown> } {
  const offered: unknown = isObject(params) ? params["options"] : undefined;
  const options = (Array.isArray(offered) ? offered : []).filter(
    (option): option is Record<string, unknown> => isObject(option) && typeof option["optionId"] === "string",
  );
  const sense = answer.split("_")[0] ?? "";
  const option =
    options.find(({ kind }) => kind === answer) ?? options.find(({ kind }) => String(kind).startsWith(`${sense}_`));
  return option === undefined || answer === "cancelled"
    ? { outcome: { outcome: "cancelled" } }
    : { outcome: { outcome: "selected", optionId: option["optionId"] } };
}
