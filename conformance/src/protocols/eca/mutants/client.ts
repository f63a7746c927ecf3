import { isObject } from "@editwire/core";
import { benignForms } from "../../../packs/benign.js";
import type { Mutant } from "../../../core/mutant.js";
import { beforeLineEnd, inLatin1, onLine, withLineFeeds, withSmallLetters } from "../../../packs/encodings.js";
import { characters, headersLike, latin1, wholeChunks } from "../../../packs/readers.js";
import { isAnswer, wrong } from "../../../packs/rewrites.js";
import { readerOf } from "../../../packs/taking.js";
import { type ClientBehavior, objectOf, rightClient } from "../reference/client-behavior.js";
import { beginning, benign, broken, each, sent } from "./client-patch.js";
import { packMutants } from "./client-packs.js";
import { clauseMutants } from "./client-clauses.js";
import { declaredClients } from "./declared.js";
import { formMutants } from "./client-form.js";
import { queryMutants } from "./client-query.js";

const one = "turn.message";

const wire: readonly Mutant[] = broken({
  "ends-messages-with-lines": ["FRAME-001", { encode: beforeLineEnd }, { cases: [one] }],
  "ends-headers-with-line-feeds": ["FRAME-002", { encode: withLineFeeds }, { cases: [one] }],
  "names-another-charset": ["FRAME-002", { encode: inLatin1 }, { collateral: ["FRAME-003"], cases: [one] }],
  "writes-lines": ["FRAME-002", { encode: onLine }, { cases: [one] }],
  "more-headers": ["FRAME-003", { encode: withSmallLetters }, { cases: [one] }],
  "reads-chunks": ["FRAME-004", { reader: wholeChunks }],
  "knows-no-content-type": ["FRAME-005", { reader: headersLike(/^Content-Length: ?\d+$/i) }],
  "case-matters": ["FRAME-005", { reader: headersLike(/Content-Length/) }, { cases: ["framing.header-lower-case"] }],
  "content-type-comes-last": ["FRAME-005", { reader: headersLike(/^(?!content-type)/i) }],
  "takes-no-charset": ["FRAME-005", { reader: headersLike(/^(?![^]*charset)/) }],
  "demands-a-charset": ["FRAME-005", { reader: headersLike(/charset|^Content-Length: ?\d+$/i) }],
  "any-charset": ["FRAME-006", { noise: () => [] }],
  "reads-characters": ["FRAME-007", { reader: characters }, { cases: ["framing.bytes"] }],
  "reads-latin-1": ["FRAME-007", { reader: latin1 }, { cases: ["framing.bytes"] }],
  "no-version": [
    "RPC-001",
    {
      outgoing: (message) =>
        isAnswer(message) || message["method"] === "initialize" ? [message] : [{ ...message, jsonrpc: "1.0" }],
    },
    { cases: [one] },
  ],
  "errors-without-codes": ["RPC-002", wrong.errorsWithoutCodes, { collateral: ["RPC-021"], cases: ["rpc.request-*"] }],
  "ids-as-strings": ["RPC-003", wrong.idsAsStrings, { collateral: ["RPC-021"], cases: ["rpc.request-*"] }],
  "answers-twice": ["RPC-004", wrong.answersTwice, { cases: ["rpc.request-*"] }],
  "one-id-for-all": [
    "RPC-005",
    {
      outgoing: (message) => [message["method"] === "chat/prompt" ? { ...message, id: 77 } : message],
      match: (id, open) => (id === 77 ? open[0] : rightClient.match(id, open)),
    },
    { collateral: ["RPC-020"], cases: ["rpc.order"] },
  ],
  "null-params": ["RPC-014", sent("initialized", () => null), { cases: [one] }],
  "dies-of-stray-answers": ["RPC-020", { strayAnswer: () => "die" }],
  "takes-the-next-answer": [
    "RPC-020",
    { match: (_id, open) => open[0] },
    { collateral: ["TURN-020"], cases: ["rpc.order"] },
  ],
  "silent-to-requests": ["RPC-021", { unknownRequest: () => undefined }],
  "dies-of-notifications": ["RPC-022", { unknownNotification: () => "die" }, { collateral: ["RPC-025"] }],
  "listens-late": ["RPC-023", { listensAtOnce: false }],
  "drops-unknown-messages": ["MSG-021", { messageType: (type) => type }],
  "shows-errors-as-info": ["MSG-020", { messageType: () => "info" }],
});

const life: readonly Mutant[] = broken({
  "folders-as-paths": ["LIFE-021", beginning({ workspaceFolders: [{ uri: "/tmp", name: "tmp" }] }), { cases: [one] }],
  "exits-first": ["LIFE-022", { shutdown: "exit-first" }, { collateral: ["LIFE-026", "LIFE-028"] }],
  "exits-at-once": ["LIFE-026", { shutdown: "exit-at-once" }],
  "waits-for-the-lost": ["LIFE-023", { failsAtEnd: false }],
});

const turns: readonly Mutant[] = broken({
  "trims-messages": [
    "TURN-023",
    { promptParams: (chatId, id, message) => rightClient.promptParams(chatId, id, String(message).trim()) },
  ],
  "drops-early-contents": ["CHAT-020", { keepsEarly: false }, { collateral: ["TOOL-021", "TURN-020", "TURN-026"] }],
  "dies-of-unknown-chats": [
    "CHAT-021",
    { onContent: ({ chatId }) => (chatId === "no-such-chat" ? "die" : "survive") },
    { cases: ["chat.unknown-chat-id"] },
  ],
  "dies-of-unknown-types": [
    "CHAT-021",
    { onContent: ({ content }) => (objectOf(content)["type"] === "hologram" ? "die" : "survive") },
    { cases: ["chat.unknown-type"] },
  ],
  ...each(["reasonFinished", "toolCallRejected", "usage"], (ending) => ({
    [`${ending}-ends`]: [
      "TURN-020",
      { isEnd: (content) => content["type"] === ending || rightClient.isEnd(content) },
      { cases: ["turn.running"] },
    ],
  })),
  "dies-of-listed-arguments": [
    "TURN-020",
    { onContent: ({ content }) => (Array.isArray(objectOf(content)["arguments"]) ? "die" : "survive") },
  ],
  "dies-of-a-second-end": ["TURN-026", { secondEnd: () => "die" }],
  "trims-texts": ["TURN-021", { joined: (before, text) => before + text.trim() }, { collateral: ["CHAT-020"] }],
  "drops-repeated-texts": ["TURN-021", { joined: (before, text) => (before.endsWith(text) ? before : before + text) }],
  "refusals-do-not-end": ["TURN-022", { refusalEnds: false }],
  "takes-prepared-arguments": ["TOOL-022", { toolArguments: (prepared) => prepared }],
  "shows-all-as-failures": ["TOOL-030", { toolError: () => true }],
  "reads-content-only": ["TOOL-032", { toolText: ({ content }) => String(content ?? "") }],
  "reads-text-only": ["TOOL-023", { toolText: ({ text }) => String(text ?? "") }],
  "knows-no-rejections": ["TOOL-023", { shows: (type) => type !== "toolCallRejected" && rightClient.shows(type) }],
  "shows-failures-as-rejected": [
    "TOOL-023",
    { toolState: (content) => (content["error"] === true ? "rejected" : rightClient.toolState(content)) },
    { cases: ["tool.failed"] },
  ],
  "approves-what-is-prepared": [
    "TOOL-033",
    { asks: ({ type, manualApproval }) => type === "toolCallPrepare" && manualApproval === true },
    { collateral: ["TOOL-020"] },
  ],
  "decides-nothing": ["TOOL-021", { decision: () => [] }],
  "approves-what-is-not-asked": [
    ["TOOL-020", "TOOL-021"],
    { asks: ({ type }) => type === "toolCallRun" },
    { cases: ["tool.unasked"] },
  ],
  "stops-another-chat": ["STOP-020", { stopParams: () => ({ chatId: "another" }) }],
  "deaf-after-a-stop": ["STOP-021", deafAfterStop],
  "empties-before-the-answer": ["DELETE-020", { emptiesAfterAnswer: false }, { cases: ["delete-late"] }],
  "deletes-the-newest-chat": [
    "DELETE-020",
    { deleteParams: (_own, all) => ({ chatId: all.at(-1) }) },
    { cases: ["delete"] },
  ],
});

/** Shows no further contents of a chat whose turn was stopped. */
function deafAfterStop(): Partial<ClientBehavior> {
  const stopped = new Set<unknown>();
  return {
    stopParams(chatId) {
      stopped.add(chatId);
      return rightClient.stopParams(chatId);
    },
    reader: readerOf(({ params }) => {
      const { chatId, content } = isObject(params) ? params : {};
      return stopped.has(chatId) && isObject(content) && content["type"] === "text" ? "overlook" : "take";
    }),
  };
}

/** Clients that are as right as the reference in a way of their own: nothing may be held against them. */
const variants: readonly Mutant[] = [
  ...benignForms("eca.client"),
  ...benign({
    "own-ids": ownIds,
    "string-ids": {
      outgoing: (message) => [
        isAnswer(message) || message["id"] === undefined
          ? message
          : { ...message, id: `client-${String(message["id"])}` },
      ],
      match: (id, open) => open.find((call) => id === `client-${call}`),
    },
    "own-fields": sent("chat/prompt", (params) => ({ ...params, agent: "code", variant: "high" })),
    "no-params": {
      outgoing: (message) =>
        ["shutdown", "exit"].includes(String(message["method"])) ? [{ ...message, params: undefined }] : [message],
    },
    anonymous: { initializeParams: () => ({ processId: null, capabilities: {}, workspaceFolders: [] }) },
  }),
];

/** Makes the ids of its chats itself, of one connection. */
function ownIds(): Partial<typeof rightClient> {
  let chats = 0;
  return { mintedId: () => `11111111-1111-4111-8444-${String(++chats).padStart(12, "0")}` };
}

/** Clients that are broken in one way each, and some that are not. */
export const clientMutants: readonly Mutant[] = [
  ...wire,
  ...life,
  ...turns,
  ...queryMutants,
  ...formMutants,
  ...clauseMutants,
  ...declaredClients,
  ...packMutants,
  ...variants,
];
