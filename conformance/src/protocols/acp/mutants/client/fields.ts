import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../../core/mutant.js";
import { of, rewrite, without } from "../../../../packs/rewrites.js";

type Json = Record<string, unknown>;
type Change = (params: Json) => Json;

const server: Json = {
  type: "stdio",
  name: "files",
  command: "/bin/cat",
  args: [],
  env: [{ name: "A", value: "b" }],
};
const offers =
  (broken: Json): Change =>
  (params) => ({ ...params, mcpServers: [broken] });

/** Faults in the MCP server of a new session. */
const servers: readonly (readonly [string, Change])[] = [
  ["server-type", offers({ ...server, type: 7 })],
  ["server-name", offers({ ...server, name: 7 })],
  ["server-command", offers(without(server, "command"))],
  ["server-args", offers({ ...server, args: "-v" })],
  ["server-env", offers({ ...server, env: {} })],
  ["variable-name", offers({ ...server, env: [{ value: "b" }] })],
  ["variable-value", offers({ ...server, env: [{ name: "A" }] })],
];
const field = (name: string, value: unknown): readonly [string, Change] => [
  name.toLowerCase(),
  (params) => (value === undefined ? without(params, name) : { ...params, [name]: value }),
];

/** Changes the blocks of a type in a prompt. */
const blocks =
  (type: string, change: (block: Json) => Json): Change =>
  ({ prompt, ...params }) => ({
    ...params,
    prompt: Array.isArray(prompt)
      ? prompt.map((block: unknown) => (isObject(block) && block["type"] === type ? change(block) : block))
      : prompt,
  });
const inBlock = (type: string, key: string, value: unknown): readonly [string, Change] => [
  `${type.replace("_", "-")}-${key.toLowerCase()}`,
  blocks(type, (block) => ({ ...block, [key]: value })),
];
const inResource = (name: string, has: string, key: string, value: unknown): readonly [string, Change] => [
  `resource-${name}`,
  blocks("resource", (block) => {
    const { resource } = block;
    return isObject(resource) && has in resource ? { ...block, resource: { ...resource, [key]: value } } : block;
  }),
];

/** Faults of clients in one field, by the method and the case in which it is sent. */
const wrong: readonly (readonly [string, string, readonly (readonly [string, Change])[]])[] = [
  ["initialize", "initialize.first", [field("clientInfo", "me"), field("clientCapabilities", [])]],
  ["session/new", "session.new", servers],
  ["session/load", "session.load", [field("sessionId", 7), field("cwd", 7), ...servers]],
  ["session/set_mode", "session.set-mode", [field("sessionId", undefined)]],
  [
    "session/prompt",
    "turn.content",
    [
      field("sessionId", 7),
      inBlock("text", "type", 7),
      inBlock("text", "text", 7),
      inBlock("resource_link", "type", 7),
      inBlock("resource_link", "uri", undefined),
      inBlock("resource_link", "name", 7),
      inBlock("resource_link", "mimeType", 7),
      inBlock("resource_link", "description", 7),
      inBlock("resource", "type", 7),
      inBlock("resource", "resource", "file:///a"),
      inResource("uri", "uri", "uri", undefined),
      inResource("text", "text", "text", 7),
      inResource("blob", "blob", "blob", 7),
      inResource("mimetype", "uri", "mimeType", 7),
      inBlock("image", "mimeType", 7),
    ],
  ],
];

/** Clients whose messages have one field missing or of another type. */
export const fieldMutants: readonly Mutant[] = wrong.flatMap(([method, seenIn, changes]) =>
  changes.map(([name, change]) =>
    mutant(`acp.client/wire-${method.replace(/[_/]/g, "-")}-${name}`, {
      violates: [`ACP-SCHEMA-${method}:params`],
      collateral: ["ACP-SESSION-008", "ACP-SESSION-009", "ACP-TURN-011", "ACP-RPC-011", "ACP-MCP-003", "ACP-TURN-015"],
      cases: [`acp.client.${seenIn}`],
      patch: rewrite(of(method), (message) => ({ ...message, params: change(message["params"] as Json) })),
    }),
  ),
);
