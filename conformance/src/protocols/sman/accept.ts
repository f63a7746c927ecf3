import { isObject } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

const optional: readonly string[] = ["result", "error", "executionTime"];

/**
 * The specification says that `executionTime` is a number, so the schema cannot refuse one with a fraction. Where
 * a field is optional, many serializers write null.
 */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (_method, part, value) => {
  if (part !== "result" || !isObject(value)) return value;
  const { executionTime, ...fields } = value;
  const present = Object.entries(fields).filter(([name, one]) => one !== null || !optional.includes(name));
  const time = typeof executionTime === "number" ? Math.abs(Math.round(executionTime)) : executionTime;
  return { ...Object.fromEntries(present), ...(time !== undefined && time !== null && { executionTime: time }) };
};
