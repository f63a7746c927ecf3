import { kaiakProfiles } from "@editwire/kaiak-schema";
import { isObject, repair, rewrite } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

const { spec } = kaiakProfiles;

/** Reads what a peer may write in another form, such as null for what is optional. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, value) => {
  const whole = method === "kaiak/configure" && part === "result" ? anyFolder(value) : value;
  return repair(spec, method, part, rewrite(spec.decode, method, part, anyCustomTools(whole)), () => {});
};

/** A server that was given no working_dir may apply none; whether it applies the one that it has, a case judges. */
function anyFolder(value: unknown): unknown {
  const applied = isObject(value) ? value["configuration_applied"] : undefined;
  if (!isObject(applied) || !isObject(applied["workspace"])) return value;
  const workspace = { working_dir: "", ...applied["workspace"] };
  return { ...(value as object), configuration_applied: { ...applied, workspace } };
}

/** The specification has no custom tool, and so no form of one: those that are no objects are not judged. */
function anyCustomTools(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { custom_tools: tools } = value;
  if (Array.isArray(tools)) return { ...value, custom_tools: tools.filter((tool) => isObject(tool)) };
  const inside = ["configuration", "configuration_applied", "tools"].find((name) => name in value);
  return inside === undefined ? value : { ...value, [inside]: anyCustomTools(value[inside]) };
}
