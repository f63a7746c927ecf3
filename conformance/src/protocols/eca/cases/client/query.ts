import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import type { Incoming } from "../../../../core/talk/talk.js";
import { defineCases } from "../../client-role.js";

type Json = Record<string, unknown>;
/** The user's input. The client must not change any of it. */
const query = " Größe.ts";
/** A query that finds nothing. */
const unknown = "nothing";

/** A search of the client's, and what the suite finds. */
interface Search {
  readonly action: string;
  readonly method: string;
  readonly field: string;
  readonly sends: string;
  readonly offers: string;
  readonly found: readonly Json[];
}

const contexts: Search = {
  action: "find-contexts",
  method: "chat/queryContext",
  field: "contexts",
  sends: "ECA-QUERY-020",
  offers: "ECA-QUERY-021",
  found: [
    { type: "file", path: "/project/ Größe.ts" },
    { type: "file", path: "/project/2 Größe.ts", linesRange: { start: 1, end: 3 } },
    { type: "directory", path: "/project/ Größe.ts.d" },
    { type: "web", url: "https://example.org/" },
    { type: "repoMap" },
    {
      type: "mcpResource",
      uri: "file://foo/bar.clj",
      name: " Größe.ts",
      description: "A file",
      mimeType: "text/plain",
      server: "files",
    },
  ],
};
const commands: Search = {
  action: "find-commands",
  method: "chat/queryCommands",
  field: "commands",
  sends: "ECA-QUERY-022",
  offers: "ECA-QUERY-023",
  found: [
    { name: "costs", description: "Costs of the chat", type: "native", arguments: [] },
    { name: "files:review", description: "Reviews", type: "mcp-prompt", arguments: [{ name: "path", required: true }] },
  ],
};

/** The properties that found and offered contexts share. */
const namesOf = (list: unknown): unknown[] =>
  Array.isArray(list)
    ? list.filter(isObject).map(({ path, url, uri, name, type }) => path ?? url ?? uri ?? name ?? type)
    : [];

/** Has the client do something, and waits for what it sends for it. A client that cannot do it ends the case. */
async function comesOf(acted: Promise<unknown>, sent: () => Promise<Incoming>): Promise<Incoming> {
  return Promise.race([sent(), acted.then(sent)]);
}

const searchCases = [contexts, commands].flatMap(({ action, method, field, sends, offers, found }) =>
  defineCases({
    [`query.${field}`]: {
      title: `the ${field} that match the user's text are found`,
      emits: [sends, offers, "ECA-QUERY-024"],
      async run(t) {
        const chat = t.chat();
        const turn = await t.prompt(chat);
        turn.end();
        await turn.done;
        const typed: unknown[] = [];
        t.answer(method, (params) => {
          const { query: one } = isObject(params) ? params : {};
          typed.push(one);
          return { result: one === unknown ? { chatId: turn.chatId, [field]: [] } : { [field]: found } };
        });
        const acted = t.act(action, { chat, query }, { optional: true });
        const { params } = await t.require(
          sends,
          comesOf(acted, () => t.expect.request(method)),
        );
        t.check(sends, params["query"] === query, { expected: query, actual: params["query"] });
        const { chatId = turn.chatId } = params;
        t.check(sends, chatId === turn.chatId, { expected: `no chatId, or ${turn.chatId}`, actual: chatId });
        await acted.catch(() => {});
        // A client may know without the server what it offers for these.
        const others = ["", unknown];
        for (const other of others) await t.act(action, { chat, query: other }, { optional: true }).catch(() => {});
        await t.require("ECA-QUERY-024", t.alive());
        const result = await t.require(offers, acted);
        t.check(
          sends,
          typed.slice(1).every((one) => others.includes(String(one))),
          { expected: others, actual: typed.slice(1) },
        );
        const offered = isObject(result) ? result[field] : undefined;
        t.needs(Array.isArray(offered), `the client does not tell which ${field} it offers`);
        // The client need not offer contexts that it already has.
        const names = [...namesOf(params["contexts"]), ...namesOf(offered)];
        t.check(
          offers,
          namesOf(found).every((one) => names.includes(one)),
          { expected: found, actual: offered },
        );
      },
    },
  }),
);

/** Cases about requests of clients besides prompts: contexts, commands, and MCP servers that stop and start. */
export const queryCases: readonly Case[] = [
  ...searchCases,
  ...defineCases({
    "mcp.restart": {
      title: "a server is stopped and started by its name, and the last status of each is shown",
      emits: ["ECA-MCP-020", "ECA-MCP-021", "ECA-MCP-022"],
      async run(t) {
        await t.initialized();
        const name = "my_own-Server";
        const tell = (status: string, of = name): void =>
          t.send.notify("tool/serverUpdated", {
            type: "mcp",
            name: of,
            command: "server",
            args: [],
            status,
            ...(status === "running" && { tools: [] }),
          });
        t.send.notify("tool/serverUpdated", { type: "native", name: "ECA", status: "running", tools: [] });
        tell("running");
        for (const status of ["starting", "running", "stopped", "disabled", "failed"]) tell(status, "another");
        await t.require("ECA-MCP-022", t.alive());
        for (const [action, method, status] of [
          ["stop-server", "mcp/stopServer", "stopped"],
          ["start-server", "mcp/startServer", "running"],
        ] as const) {
          const acted = t.act(action, { name }, { optional: true });
          const { params } = await t.require(
            "ECA-MCP-020",
            comesOf(acted, () => t.expect.notify(method)),
          );
          t.check("ECA-MCP-020", params["name"] === name, { expected: name, actual: params["name"] });
          tell(status);
          await acted;
          await t.works();
          const { servers } = await t.report(t.chat());
          t.needs(Array.isArray(servers), "the client does not report servers");
          for (const [of, expected] of [
            [name, status],
            ["another", "failed"],
          ]) {
            const last = (servers as unknown[]).filter(isObject).findLast((server) => server["name"] === of);
            const shown = last?.["status"];
            const isRight = last !== undefined && (shown === undefined || shown === expected);
            t.check("ECA-MCP-021", isRight, { expected: `${of} ${expected}`, actual: servers });
          }
        }
      },
    },
  }),
];
