import { toolKinds } from "@editwire/acp-schema";

/** Differences from the official schema that are meant. Each pattern matches at least one. */
export interface KnownDifferences {
  readonly reason: string;
  readonly patterns: readonly RegExp[];
}

/** Differences between our messages and the official schema. */
export const known: readonly KnownDifferences[] = [
  {
    reason: "a session's id is never empty, and paths are absolute, as the text of the protocol demands",
    patterns: [
      /sessionId: string length>=1 here, string there$/,
      /(cwd|path|additionalDirectories\[\]): string pattern here, string there$/,
    ],
  },
  {
    reason: "the model is open: a variant that is not known is kept, and a kind of tool may be any word beside ours",
    patterns: [
      /(content|content\[\]|prompt\[\]|summary\[\])<type>: only here$/,
      /update<sessionUpdate>: only here$/,
      new RegExp(
        `\\.kind: string here, ${[...toolKinds]
          .sort()
          .map((kind) => `=${kind}`)
          .join("\\|")} there$`,
      ),
    ],
  },
  {
    reason: "the specification's own dialect lets these fields be absent; the profile v1 always writes them",
    patterns: [
      /<type=(image|audio)>\.mimeType: optional here, required there$/,
      /<type=resource_link>\.name: optional here, required there$/,
      /(clientInfo|agentInfo)\.(name|version): optional here, required there$/,
      /availableCommands\[\]\.(description|input\.hint): optional here, required there$/,
    ],
  },
  {
    reason: "the model always has a tool call's status; the profile v1 reads pending where it is absent",
    patterns: [/<sessionUpdate=tool_call>\.status: required here, optional there$/],
  },
  {
    reason: "the model tags MCP servers on stdio; the profile v1 reads and writes them without a type",
    patterns: [/mcpServers\[\]<(args\+command\+env\+name>: only there|type=stdio>: only here)$/],
  },
  {
    reason: "the specification lets one resource have text and blob",
    patterns: [/<type=resource>\.resource<(blob\+uri>\.text|text\+uri>\.blob): only here$/],
  },
  {
    reason: "one form for both types of methods: args and env are optional; the profile v1 always writes the name",
    patterns: [/^initialize result\.authMethods\[\]: object here, union there$/],
  },
  {
    reason: "every object may have _meta, and the official schema leaves it to additional properties in these places",
    patterns: [
      /outcome<outcome=cancelled>\._meta: only here$/,
      /session\.(compaction|notices)\._meta: only here$/,
      /^elicitation\/create result<action>\._meta: only there$/,
    ],
  },
  {
    reason: "that a sessionId or a requestId is there is checked by a rule that JSON Schema does not show",
    patterns: [
      /^elicitation\/create params<mode=(form|url)>\.requestId: optional here, required there$/,
      /^elicitation\/create params<mode=(form|url)>\.(sessionId|toolCallId): only here$/,
      /^elicitation\/create params<(message\+mode\+(requestId|sessionId)>: only there|mode>: only here)$/,
    ],
  },
  {
    reason: "a number may be whole",
    patterns: [/^elicitation\/create result<action=accept>\.content\.\*<integer>: only there$/],
  },
  {
    reason: "the version is compared, so that one below 0 is unsupported and not malformed",
    patterns: [/protocolVersion: integer here, integer >=0 there$/],
  },
];
