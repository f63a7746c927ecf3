import type { Mutant } from "../../../core/mutant.js";
import { rightClient } from "../reference/client-behavior.js";
import { benign, broken, sent } from "./client-patch.js";

/** Faults of clients in requests for contexts and commands, and with MCP servers. */
export const queryMutants: readonly Mutant[] = [
  ...broken({
    "trims-context-queries": [
      "QUERY-020",
      sent("chat/queryContext", (params) => ({ ...params, query: String(params["query"]).trim() })),
    ],
    "context-queries-of-another-chat": [
      "QUERY-020",
      sent("chat/queryContext", (params) => ({ ...params, chatId: "another" })),
    ],
    "offers-no-resources": ["QUERY-021", { offered: (found) => found.filter(({ type }) => type !== "mcpResource") }],
    "dies-of-found-pages": [
      "QUERY-024",
      { onFound: (result) => (JSON.stringify(result).includes('"web"') ? "die" : "survive") },
      { cases: ["query.contexts"] },
    ],
    "dies-of-no-commands": [
      "QUERY-024",
      { onFound: ({ commands }) => (Array.isArray(commands) && commands.length === 0 ? "die" : "survive") },
      { cases: ["query.commands"] },
    ],
    "dies-of-results-without-chat": [
      "QUERY-024",
      { onFound: ({ chatId }) => (chatId === undefined ? "die" : "survive") },
    ],
    "trims-command-queries": [
      "QUERY-022",
      sent("chat/queryCommands", (params) => ({ ...params, query: String(params["query"]).trim() })),
    ],
    "command-queries-of-another-chat": [
      "QUERY-022",
      sent("chat/queryCommands", (params) => ({ ...params, chatId: "another" })),
    ],
    "offers-native-commands-only": [
      "QUERY-023",
      { offered: (found) => found.filter(({ type }) => type !== "mcp-prompt") },
    ],
    "stops-servers-by-another-name": [
      "MCP-020",
      sent("mcp/stopServer", ({ name }) => ({ name: String(name).toLowerCase() })),
    ],
    "starts-servers-by-another-name": [
      "MCP-020",
      sent("mcp/startServer", ({ name }) => ({ name: String(name).replace("_", "-") })),
    ],
    "dies-of-disabled-servers": ["MCP-022", { onServer: ({ status }) => (status === "disabled" ? "die" : "survive") }],
    "dies-of-servers-without-tools": [
      "MCP-022",
      { onServer: ({ tools }) => (tools === undefined ? "die" : "survive") },
    ],
    "keeps-the-first-status": ["MCP-021", { serverStatus: (before, status) => before ?? status }],
  }),
  ...benign({
    "queries-without-chat": {
      contextQuery: (_chatId, query) => rightClient.contextQuery(undefined, query),
      commandQuery: (_chatId, query) => rightClient.commandQuery(undefined, query),
    },
  }),
];
