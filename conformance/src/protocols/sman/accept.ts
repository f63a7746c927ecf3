import { isObject } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

/** The specification says that `executionTime` is a number, so one with a fraction is none the schema can refuse. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (_method, part, value) => {
  if (part !== "result" || !isObject(value)) return value;
  const { executionTime } = value;
  return typeof executionTime === "number" ? { ...value, executionTime: Math.abs(Math.round(executionTime)) } : value;
};
