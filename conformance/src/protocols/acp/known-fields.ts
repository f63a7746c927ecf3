import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isObject } from "@editwire/core";
import { packageRoot } from "../../core/registry/package-root.js";
import type { MessagePart } from "../../generate/fixtures.js";

type Json = Record<string, unknown>;

/**
 * Fields that the unstable schema of the official version 1 has, or had in an earlier release. Agents of 2026 send
 * them: they are not made up, so `_meta` is not their place.
 */
const unstable: Readonly<Record<string, readonly string[]>> = {
  "session/new params": ["systemPrompt"],
  "session/new result": ["models"],
  "session/load params": ["systemPrompt"],
  "session/load result": ["models"],
  "session/resume params": ["systemPrompt"],
  "session/resume result": ["models"],
  "session/list params": ["additionalDirectories", "archived"],
  "session/prompt params": ["messageId"],
  "session/prompt result": ["usage", "userMessageId"],
};

/** The same for kinds of updates. */
const unstableUpdates = ["plan_update", "plan_removed", "subagent_update", "session_message", "session_message_chunk"];

/** The same for what an agent can do, by the part of its capabilities. */
const unstableCapabilities: Readonly<Record<string, readonly string[]>> = {
  "": ["providers", "nes", "positionEncoding"],
  mcpCapabilities: ["acp"],
  sessionCapabilities: ["systemPrompt", "fork", "archive", "status", "title"],
  auth: ["status"],
};

let methods: Json | undefined;
const known = new Map<string, ReadonlySet<string> | undefined>();

/**
 * The names of the fields that the JSON Schema of the messages has for a part of a method, or for a kind of update.
 * `undefined` where it does not say.
 */
export function fieldsOf(method: string, part: MessagePart, update?: string): ReadonlySet<string> | undefined {
  const name = `${method} ${part} ${update ?? ""}`;
  if (!known.has(name)) known.set(name, read(method, part, update));
  return known.get(name);
}

/** Whether an update is of a kind that the schema lists, or its unstable form. */
export const isUpdateKind = (kind: string): boolean =>
  fieldsOf("session/update", "params", kind) !== undefined || unstableUpdates.includes(kind);

/** The capabilities of an agent, and those in its parts, that neither the schema nor its unstable forms have. */
export function ownCapabilities(given: unknown): string[] {
  methods ??= readMethods();
  const whole = at(methods, "initialize", "result", "properties", "agentCapabilities");
  const ownOf = (value: unknown, part: string, schema: unknown): string[] => {
    const properties = at(schema, "properties");
    if (!isObject(value) || !isObject(properties)) return [];
    const names = new Set([...Object.keys(properties), ...(unstableCapabilities[part] ?? []), "_meta"]);
    return Object.keys(value).filter((key) => !names.has(key));
  };
  const parts = Object.keys(unstableCapabilities).filter((part) => part !== "");
  return [
    ...ownOf(given, "", whole),
    ...parts.flatMap((part) => ownOf(at(given, part), part, at(whole, "properties", part))),
  ];
}

function read(method: string, part: MessagePart, update: string | undefined): ReadonlySet<string> | undefined {
  methods ??= readMethods();
  const whole = at(methods, method, part);
  const schema = update === undefined ? whole : variantOf(at(whole, "properties", "update"), update);
  const properties = at(schema, "properties");
  const more = unstable[`${method} ${part}`] ?? [];
  return isObject(properties) ? new Set([...Object.keys(properties), ...more, "_meta"]) : undefined;
}

function readMethods(): Json {
  const resolve = createRequire(join(packageRoot(), "package.json"));
  const text = readFileSync(resolve.resolve("@editwire/acp-schema/schema.json"), "utf8");
  return (JSON.parse(text) as { methods: Json }).methods;
}

/** The alternative for a kind of update. */
function variantOf(union: unknown, kind: string): unknown {
  const variants = isObject(union) ? (union["oneOf"] ?? union["anyOf"]) : undefined;
  return Array.isArray(variants)
    ? variants.find((one) => at(one, "properties", "sessionUpdate", "const") === kind)
    : undefined;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}
