import { isObject, schemaFor, validatorOf } from "@editwire/core";
import * as z from "zod/mini";

/** Unknown fields survive. */
interface Open {
  [key: string]: unknown;
}

/** How a program is started, beside its name. */
interface Start extends Open {
  /** The arguments that make it an agent. */
  args?: string[] | undefined;
  /** Environment variables that are added. */
  env?: Record<string, string> | undefined;
}
const start = { args: z.optional(z.array(z.string())), env: z.optional(z.record(z.string(), z.string())) };

/** A package of a registry of packages. */
export interface PackageDistribution extends Start {
  /** With the version, as in `my-agent@1.2.0` (npm) or `my-agent==1.2.0` (PyPI). */
  package: string;
  /** The command of the package. Absent: the one that has its name. */
  cmd?: string | undefined;
}
const word = z.string().check(z.regex(/^[\w.][\w.-]*$/, { error: "expected the name of a command" }));
const packageOf = (name: RegExp) =>
  schemaFor<PackageDistribution>()(
    z.looseObject({
      package: z.string().check(z.regex(name, { error: "expected the name of a package, with or without a version" })),
      cmd: z.optional(word),
      ...start,
    }),
  );

/** A program that is downloaded. */
export interface BinaryDistribution extends Start {
  /** The URL of a `.zip`, `.tar.gz`, `.tgz`, `.tar.bz2` or `.tbz2`, or of the program itself. */
  archive: string;
  /** The path of the program in the archive. */
  cmd: string;
  /** Of the archive, in hexadecimal. */
  sha256?: string | undefined;
}
const BinaryDistribution = schemaFor<BinaryDistribution>()(
  z.looseObject({
    archive: z.string(),
    cmd: z.string(),
    sha256: z.optional(z.string().check(z.regex(/^[\da-f]{64}$/i, { error: "expected 64 hexadecimal digits" }))),
    ...start,
  }),
);

/** The ways to get an agent. */
export interface AgentDistribution extends Open {
  /** From npm. */
  npx?: PackageDistribution | undefined;
  /** From PyPI. */
  uvx?: PackageDistribution | undefined;
  /** By platform, such as `linux-x86_64`. */
  binary?: Record<string, BinaryDistribution> | undefined;
}

/** One agent of a registry. */
export interface RegistryAgent extends Open {
  /** Lower-case letters, digits and hyphens. */
  id: string;
  /** For users. */
  name: string;
  version: string;
  description?: string | undefined;
  distribution: AgentDistribution;
}
const npmPackage = /^(?:@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*(?:@[\w.^~+-]+)?$/i;
const pythonPackage = /^[a-z\d][\w.-]*(?:\[[\w,.-]+\])?(?:(?:==|@)[\w.+!-]+)?$/i;
export const RegistryAgent = schemaFor<RegistryAgent>()(
  z.looseObject({
    id: z.string().check(z.regex(/^[a-z][a-z\d-]*$/, { error: "expected lower-case letters, digits and hyphens" })),
    name: z.string(),
    version: z.string().check(z.regex(/^\w[\w.+-]*$/, { error: "expected a version" })),
    description: z.optional(z.string()),
    distribution: z.looseObject({
      npx: z.optional(packageOf(npmPackage)),
      uvx: z.optional(packageOf(pythonPackage)),
      binary: z.optional(z.record(z.string(), BinaryDistribution)),
    }),
  }),
);

/** The agents that editors offer. */
export interface AgentRegistry {
  readonly agents: readonly RegistryAgent[];
  /** The entries that do not fit, and why. */
  readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Reads a registry of agents. Unknown fields and unknown ways to get an agent stay. An entry that does not fit is left
 * out, and so is a second one with the same id. Throws a `TypeError` if the value is no object with `agents`.
 */
export function registryOf(json: unknown): AgentRegistry {
  if (!isObject(json) || !Array.isArray(json["agents"]))
    throw new TypeError("expected a registry of agents: an object with the list agents");
  const { fits, issues } = validatorOf(RegistryAgent);
  const agents = new Map<string, RegistryAgent>();
  const leftOut: { id: string; reason: string }[] = [];
  for (const [index, entry] of (json["agents"] as unknown[]).entries()) {
    const id = isObject(entry) && typeof entry["id"] === "string" ? entry["id"] : `agents.${index}`;
    if (!fits(entry)) {
      const reasons = issues(entry, id).map(({ path, message }) => `${path}: ${message}`);
      leftOut.push({ id, reason: reasons.join("; ") });
    } else if (agents.has(id)) leftOut.push({ id, reason: `${id}: another entry has this id` });
    else agents.set(id, entry as RegistryAgent);
  }
  return { agents: [...agents.values()], leftOut };
}
