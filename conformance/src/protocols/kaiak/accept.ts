import { kaiakProfiles } from "@editwire/kaiak-schema";
import { isObject, repair, rewrite } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

const { spec } = kaiakProfiles;

/** Reads what a peer may write in another form, such as null for what is optional. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, value) => {
  const whole = method === "kaiak/configure" && part === "result" ? anyApplied(value) : value;
  return repair(spec, method, part, rewrite(spec.decode, method, part, anyCustomTools(whole)), () => {});
};

/**
 * The specification shows no applied configuration: nulls stand for what was not given, and without a working_dir in
 * the request, there may be none. Whether a server applies what it was given, a case judges.
 */
function anyApplied(value: unknown): unknown {
  const applied = isObject(value) ? withoutNulls(value["configuration_applied"]) : undefined;
  if (!isObject(value) || !isObject(applied)) return value;
  const sections = Object.entries(applied).map(([name, section]) => [name, withoutNulls(section)] as const);
  const { workspace, ...others } = Object.fromEntries(sections);
  const folder = isObject(workspace) ? { working_dir: "", ...workspace } : workspace;
  return { ...value, configuration_applied: { ...others, ...(folder !== undefined && { workspace: folder }) } };
}

const withoutNulls = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) : value;

/** The specification has no custom tool, and so no form of one: those that are no objects are not judged. */
function anyCustomTools(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { custom_tools: tools } = value;
  if (Array.isArray(tools)) return { ...value, custom_tools: tools.filter((tool) => isObject(tool)) };
  const inside = ["configuration", "configuration_applied", "tools"].find((name) => name in value);
  return inside === undefined ? value : { ...value, [inside]: anyCustomTools(value[inside]) };
}
