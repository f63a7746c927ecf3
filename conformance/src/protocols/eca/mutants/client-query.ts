import { mutant, type Mutant } from "../../../core/mutant.js";
import { rightClient } from "../reference/client-behavior.js";
import { patch, sent } from "./client-patch.js";

/** What clients get wrong when they ask for contexts and commands, and with MCP servers. */
export const queryMutants: readonly Mutant[] = [
  mutant("eca.client/trims-context-queries", {
    violates: ["ECA-QUERY-020"],
    patch: sent("chat/queryContext", (params) => ({ ...params, query: String(params["query"]).trim() })),
  }),
  mutant("eca.client/context-queries-of-another-chat", {
    violates: ["ECA-QUERY-020"],
    patch: sent("chat/queryContext", (params) => ({ ...params, chatId: "another" })),
  }),
  mutant("eca.client/finds-no-contexts", {
    violates: ["ECA-QUERY-020"],
    patch: patch({ outgoing: (message) => (message["method"] === "chat/queryContext" ? [] : [message]) }),
  }),
  mutant("eca.client/offers-files-only", {
    violates: ["ECA-QUERY-021"],
    patch: patch({ offered: (found) => found.filter(({ type }) => type !== "directory") }),
  }),
  mutant("eca.client/trims-command-queries", {
    violates: ["ECA-QUERY-022"],
    patch: sent("chat/queryCommands", (params) => ({ ...params, query: String(params["query"]).trim() })),
  }),
  mutant("eca.client/command-queries-of-another-chat", {
    violates: ["ECA-QUERY-022"],
    patch: sent("chat/queryCommands", (params) => ({ ...params, chatId: "another" })),
  }),
  mutant("eca.client/offers-native-commands-only", {
    violates: ["ECA-QUERY-023"],
    patch: patch({ offered: (found) => found.filter(({ type }) => type !== "mcp-prompt") }),
  }),
  mutant("eca.client/stops-servers-by-another-name", {
    violates: ["ECA-MCP-020"],
    patch: sent("mcp/stopServer", ({ name }) => ({ name: String(name).toLowerCase() })),
  }),
  mutant("eca.client/starts-servers-by-another-name", {
    violates: ["ECA-MCP-020"],
    patch: sent("mcp/startServer", ({ name }) => ({ name: String(name).replace("_", "-") })),
  }),
  mutant("eca.client/keeps-the-first-status", {
    violates: ["ECA-MCP-021"],
    patch: patch({ serverStatus: (before, status) => before ?? status }),
  }),
  mutant("eca.client/benign-queries-without-chat", {
    violates: [],
    cases: ["*"],
    patch: patch({
      contextQuery: (_chatId, query) => rightClient.contextQuery(undefined, query),
      commandQuery: (_chatId, query) => rightClient.commandQuery(undefined, query),
    }),
  }),
];
