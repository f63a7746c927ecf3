import type { SessionConfigOption } from "@editwire/acp-schema";
import { RemoteError } from "@editwire/core";

/** The options with one of them changed. Throws `RemoteError` -32602 for an option or a value that is not offered. */
export function withConfigValue(
  options: readonly SessionConfigOption[],
  configId: string,
  value: string | boolean,
): SessionConfigOption[] {
  const option = options.find(({ id }) => id === configId);
  if (option === undefined) throw RemoteError.invalidParams("unknown config option", { configId });
  const changed = changedTo(option, value);
  if (changed === undefined)
    throw RemoteError.invalidParams("unsupported value of a config option", { configId, value });
  return options.map((one) => (one === option ? changed : one));
}

function changedTo(option: SessionConfigOption, value: string | boolean): SessionConfigOption | undefined {
  if (option.type === "boolean") return typeof value === "boolean" ? { ...option, currentValue: value } : undefined;
  const offered = option.options.flatMap((one) =>
    "options" in one && Array.isArray(one.options) ? one.options : [one],
  );
  const isOffered = offered.some((one) => one["value"] === value);
  return typeof value === "string" && isOffered ? { ...option, currentValue: value } : undefined;
}
