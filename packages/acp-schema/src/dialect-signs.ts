import { isAbsent, isObject, type Part } from "@editwire/core";
import { isBlockType } from "./block-types.js";
import { mcpServers, toolContents } from "./places.js";

/** A feature of a message that shows which dialect its sender speaks. */
export interface DialectSign {
  readonly dialect: "spec" | "v1";
  /** A description of the feature, for a log. */
  readonly reason: string;
}

const specServer: DialectSign = { dialect: "spec", reason: 'it writes type: "stdio" for an MCP server' };
const v1Server: DialectSign = { dialect: "v1", reason: "it writes MCP servers on stdio without a type" };
const specOutput: DialectSign = { dialect: "spec", reason: "it writes tool output as bare content blocks" };
const v1Output: DialectSign = { dialect: "v1", reason: "it wraps the content blocks of tool output" };
const v1Client: DialectSign = { dialect: "v1", reason: "it has capabilities that only the official dialect names" };

/** Names of client capabilities in the official dialect; the specification has none. */
const officialCapabilities = ["fs", "terminal", "session", "elicitation", "auth"] as const;

/** The sign in a received value, as it came; `undefined` when it has none. */
export function signOf(method: string, part: Part, value: unknown): DialectSign | undefined {
  if (part !== "params" || !isObject(value)) return undefined;
  switch (method) {
    case "initialize":
      return initializeSign(value);
    case "session/new":
    case "session/load":
    case "session/resume":
      return firstSign(mcpServers[method], value, serverSign);
    case "session/update":
    case "session/request_permission":
      return firstSign(toolContents[method], value, outputSign);
    default:
      return undefined;
  }
}

/** The official dialect demands the version; the specification's own agent does not read it. */
function initializeSign({ protocolVersion, clientCapabilities }: Record<string, unknown>): DialectSign | undefined {
  if (isAbsent(protocolVersion)) return { dialect: "spec", reason: "it sends initialize without a protocolVersion" };
  const isOfficial =
    isObject(clientCapabilities) && officialCapabilities.some((name) => !isAbsent(clientCapabilities[name]));
  return isOfficial ? v1Client : undefined;
}

function firstSign(
  place: (value: unknown, change: (item: unknown) => unknown) => unknown,
  value: unknown,
  signOfItem: (item: unknown) => DialectSign | undefined,
): DialectSign | undefined {
  let sign: DialectSign | undefined;
  place(value, (item) => {
    sign ??= signOfItem(item);
    return item;
  });
  return sign;
}

function serverSign(server: unknown): DialectSign | undefined {
  if (!isObject(server)) return undefined;
  if (server["type"] === "stdio") return specServer;
  return server["type"] === undefined && typeof server["command"] === "string" ? v1Server : undefined;
}

function outputSign(item: unknown): DialectSign | undefined {
  if (!isObject(item)) return undefined;
  if (item["type"] === "content") return v1Output;
  return isBlockType(item["type"]) ? specOutput : undefined;
}
