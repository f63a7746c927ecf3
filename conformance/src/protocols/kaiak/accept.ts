import { kaiakProfiles } from "@editwire/kaiak-schema";
import { isObject, mapField, repair, rewrite } from "@editwire/core";
import type { ConformanceProtocol } from "../../core/protocol.js";

const { spec } = kaiakProfiles;

/** Reads what a peer may write in another form, such as null for what is optional. */
export const accept: NonNullable<ConformanceProtocol["accept"]> = (method, part, value) => {
  const whole = method === "kaiak/configure" && part === "result" ? anyApplied(value) : value;
  return repair(spec, method, part, rewrite(spec.decode, method, part, anyCustomTools(whole)), () => {});
};

/**
 * The specification shows no applied configuration: without a working_dir in the request, there may be none. Whether a
 * server applies what it was given, a case judges.
 */
function anyApplied(value: unknown): unknown {
  const withFolder = (workspace: unknown): unknown =>
    isObject(workspace) && (workspace["working_dir"] ?? null) === null ? { ...workspace, working_dir: "" } : workspace;
  return mapField(value, "configuration_applied", (applied) => mapField(applied, "workspace", withFolder));
}

/** The specification has no custom tool, and so no form of one: those that are no objects are not judged. */
function anyCustomTools(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { custom_tools: tools } = value;
  if (Array.isArray(tools)) return { ...value, custom_tools: tools.filter((tool) => isObject(tool)) };
  const inside = ["configuration", "configuration_applied", "tools"].find((name) => name in value);
  return inside === undefined ? value : { ...value, [inside]: anyCustomTools(value[inside]) };
}
