import { benignForms } from "../../../packs/benign.js";
import { mutant, type Mutant } from "../../../core/mutant.js";
import { inLatin1, withLineFeeds } from "../../../packs/encodings.js";
import { encodeFrame, FrameCutter } from "../../../wire/framing.js";
import { objectOf, rightClient } from "../reference/client-behavior.js";
import type { Json } from "../reference/server-behavior.js";
import { beginning, patch, sent } from "./client-patch.js";
import { packMutants } from "./client-packs.js";
import { clauseMutants } from "./client-clauses.js";
import { declaredClients } from "./declared.js";
import { formMutants } from "./client-form.js";
import { queryMutants } from "./client-query.js";

const isAnswer = (message: Json): boolean => !("method" in message);
const one = "eca.client.turn.message";
const everything = { violates: [], cases: ["*"] } as const;

const wire: readonly Mutant[] = [
  mutant("eca.client/logs-into-its-output", {
    violates: ["ECA-FRAME-001"],
    cases: [one],
    patch: patch({ encode: (message) => Buffer.concat([Buffer.from("log\n"), rightClient.encode(message)]) }),
  }),
  mutant("eca.client/ends-headers-with-line-feeds", {
    violates: ["ECA-FRAME-002"],
    cases: [one],
    patch: patch({ encode: (message) => withLineFeeds(message) }),
  }),
  mutant("eca.client/names-another-charset", {
    violates: ["ECA-FRAME-003"],
    cases: [one],
    patch: patch({ encode: (message) => inLatin1(message) }),
  }),
  mutant("eca.client/writes-lines", {
    violates: ["ECA-FRAME-002"],
    cases: [one],
    patch: patch({ encode: (message) => encodeFrame(message, "line") }),
  }),
  mutant("eca.client/more-headers", {
    violates: ["ECA-FRAME-003"],
    cases: [one],
    patch: patch({
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([Buffer.from(`content-length: ${body.length}\r\n\r\n`), body]);
      },
    }),
  }),
  mutant("eca.client/reads-chunks", {
    violates: ["ECA-FRAME-020"],
    patch: patch({ reader: () => ({ push: (chunk) => new FrameCutter().push(chunk) }) }),
  }),
  mutant("eca.client/knows-no-content-type", {
    violates: ["ECA-FRAME-020"],
    cases: ["eca.client.framing.content-type"],
    patch: patch({
      reader() {
        const inner = new FrameCutter();
        return {
          push: (chunk) =>
            inner.push(chunk).filter((cut) => cut.ok && /^Content-Length: \d+$/.test(cut.frame.detail ?? "")),
        };
      },
    }),
  }),
  mutant("eca.client/no-version", {
    violates: ["ECA-RPC-001"],
    cases: [one],
    patch: patch({
      outgoing: (message) =>
        isAnswer(message) || message["method"] === "initialize" ? [message] : [{ ...message, jsonrpc: "1.0" }],
    }),
  }),
  mutant("eca.client/errors-without-codes", {
    violates: ["ECA-RPC-002"],
    collateral: ["ECA-RPC-021"],
    cases: ["eca.client.rpc.request-*"],
    patch: patch({ outgoing: (message) => [isAnswer(message) ? { ...message, error: { message: "no" } } : message] }),
  }),
  mutant("eca.client/ids-as-strings", {
    violates: ["ECA-RPC-003"],
    collateral: ["ECA-RPC-021"],
    cases: ["eca.client.rpc.request-*"],
    patch: patch({ outgoing: (message) => [isAnswer(message) ? { ...message, id: String(message["id"]) } : message] }),
  }),
  mutant("eca.client/answers-twice", {
    violates: ["ECA-RPC-004"],
    cases: ["eca.client.rpc.request-*"],
    patch: patch({ outgoing: (message) => (isAnswer(message) ? [message, message] : [message]) }),
  }),
  mutant("eca.client/one-id-for-all", {
    violates: ["ECA-RPC-005"],
    cases: ["eca.client.rpc.order"],
    collateral: ["ECA-RPC-020"],
    patch: patch({
      outgoing: (message) => [message["method"] === "chat/prompt" ? { ...message, id: 77 } : message],
      match: (id, open) => (id === 77 ? open[0] : rightClient.match(id, open)),
    }),
  }),
  mutant("eca.client/null-params", { violates: ["ECA-RPC-014"], cases: [one], patch: sent("initialized", () => null) }),
  mutant("eca.client/dies-of-stray-answers", { violates: ["ECA-RPC-020"], patch: patch({ strayAnswer: () => "die" }) }),
  mutant("eca.client/takes-the-next-answer", {
    violates: ["ECA-RPC-020"],
    collateral: ["ECA-TURN-020"],
    cases: ["eca.client.rpc.order"],
    patch: patch({ match: (_id, open) => open[0] }),
  }),
  mutant("eca.client/silent-to-requests", {
    violates: ["ECA-RPC-021"],
    patch: patch({ unknownRequest: () => undefined }),
  }),
  mutant("eca.client/dies-of-notifications", {
    violates: ["ECA-RPC-022"],
    collateral: ["ECA-RPC-025"],
    patch: patch({ unknownNotification: () => "die" }),
  }),
  mutant("eca.client/listens-late", { violates: ["ECA-RPC-023"], patch: patch({ listensAtOnce: false }) }),
  mutant("eca.client/drops-unknown-messages", {
    violates: ["ECA-MSG-021"],
    patch: patch({ messageType: (type) => type }),
  }),
  mutant("eca.client/shows-errors-as-info", {
    violates: ["ECA-MSG-020"],
    patch: patch({ messageType: () => "info" }),
  }),
];

const life: readonly Mutant[] = [
  mutant("eca.client/prompts-early", {
    violates: ["ECA-LIFE-020"],
    cases: [one],
    patch: patch({ early: () => [{ jsonrpc: "2.0", id: 9_000, method: "chat/queryCommands", params: { query: "" } }] }),
  }),
  mutant("eca.client/initialized-twice", {
    violates: ["ECA-LIFE-020"],
    cases: [one],
    patch: patch({ initialized: () => [...rightClient.initialized(), ...rightClient.initialized()] }),
  }),
  mutant("eca.client/folders-as-paths", {
    violates: ["ECA-LIFE-021"],
    cases: [one],
    patch: beginning({ workspaceFolders: [{ uri: "/tmp", name: "tmp" }] }),
  }),
  mutant("eca.client/exits-first", { violates: ["ECA-LIFE-022"], patch: patch({ shutdown: "exit-first" }) }),
  mutant("eca.client/does-not-exit", { violates: ["ECA-LIFE-022"], patch: patch({ shutdown: "no-exit" }) }),
  mutant("eca.client/waits-for-the-lost", { violates: ["ECA-LIFE-023"], patch: patch({ failsAtEnd: false }) }),
];

const turns: readonly Mutant[] = [
  mutant("eca.client/trims-messages", {
    violates: ["ECA-TURN-023"],
    patch: patch({
      promptParams: (chatId, id, message) => rightClient.promptParams(chatId, id, String(message).trim()),
    }),
  }),
  mutant("eca.client/drops-early-contents", {
    violates: ["ECA-CHAT-020"],
    collateral: ["ECA-TOOL-021", "ECA-TURN-020", "ECA-TURN-026"],
    patch: patch({ keepsEarly: false }),
  }),
  mutant("eca.client/dies-of-unknown-chats", {
    violates: ["ECA-CHAT-021"],
    cases: ["eca.client.chat.unknown-chat-id"],
    patch: patch({ onContent: ({ chatId }) => (chatId === "no-such-chat" ? "die" : "survive") }),
  }),
  mutant("eca.client/dies-of-unknown-types", {
    violates: ["ECA-CHAT-021"],
    cases: ["eca.client.chat.unknown-type"],
    patch: patch({ onContent: ({ content }) => (objectOf(content)["type"] === "hologram" ? "die" : "survive") }),
  }),
  mutant("eca.client/any-progress-ends", {
    violates: ["ECA-TURN-020"],
    patch: patch({ isEnd: () => true }),
    cases: ["eca.client.turn.running"],
  }),
  mutant("eca.client/demands-a-last-text", {
    violates: ["ECA-TURN-026"],
    cases: ["eca.client.turn.finished-again"],
    patch: patch({ isEnd: ({ state, text }) => state === "finished" && text !== undefined }),
  }),
  mutant("eca.client/dies-of-a-second-end", {
    violates: ["ECA-TURN-026"],
    cases: ["eca.client.turn.finished-again"],
    patch: patch({ secondEnd: () => "die" }),
  }),
  mutant("eca.client/trims-texts", {
    violates: ["ECA-TURN-021"],
    collateral: ["ECA-CHAT-020"],
    cases: ["eca.client.turn.texts"],
    patch: patch({ joined: (before, text) => before + text.trim() }),
  }),
  mutant("eca.client/drops-repeated-texts", {
    violates: ["ECA-TURN-021"],
    patch: patch({ joined: (before, text) => (before.endsWith(text) ? before : before + text) }),
  }),
  mutant("eca.client/refusals-do-not-end", { violates: ["ECA-TURN-022"], patch: patch({ refusalEnds: false }) }),
  mutant("eca.client/takes-prepared-arguments", {
    violates: ["ECA-TOOL-022"],
    patch: patch({ toolArguments: (prepared) => prepared }),
  }),
  mutant("eca.client/reads-content-only", {
    violates: ["ECA-TOOL-023"],
    patch: patch({ toolText: ({ content }) => String(content ?? "") }),
  }),
  mutant("eca.client/reads-text-only", {
    violates: ["ECA-TOOL-023"],
    patch: patch({ toolText: ({ text }) => String(text ?? "") }),
  }),
  mutant("eca.client/knows-no-rejections", {
    violates: ["ECA-TOOL-023"],
    patch: patch({ shows: (type) => type !== "toolCallRejected" && rightClient.shows(type) }),
  }),
  mutant("eca.client/decides-nothing", { violates: ["ECA-TOOL-021"], patch: patch({ decision: () => [] }) }),
  mutant("eca.client/approves-all", {
    violates: ["ECA-TOOL-021"],
    cases: ["eca.client.tool.reject"],
    patch: patch({ decision: (chatId, id) => rightClient.decision(chatId, id, true) }),
  }),
  mutant("eca.client/approves-twice", {
    violates: ["ECA-TOOL-020"],
    cases: ["eca.client.tool.approve"],
    patch: patch({ decision: (...args) => [...rightClient.decision(...args), ...rightClient.decision(...args)] }),
  }),
  mutant("eca.client/approves-what-is-not-asked", {
    violates: ["ECA-TOOL-020", "ECA-TOOL-021"],
    cases: ["eca.client.tool.unasked"],
    patch: patch({ asks: () => true }),
  }),
  mutant("eca.client/stops-another-chat", {
    violates: ["ECA-STOP-020"],
    patch: patch({ stopParams: () => ({ chatId: "another" }) }),
  }),
  mutant("eca.client/remembers-deleted-chats", {
    violates: ["ECA-DELETE-020"],
    patch: patch({ emptiesAtDelete: false }),
  }),
];

/** Clients that are as right as the reference in a way of their own: nothing may be held against them. */
const benign: readonly Mutant[] = [
  ...benignForms("eca.client"),
  mutant("eca.client/benign-own-ids", { ...everything, patch: () => ownIds() }),
  mutant("eca.client/benign-string-ids", {
    ...everything,
    patch: patch({
      outgoing: (message) => [
        isAnswer(message) || message["id"] === undefined
          ? message
          : { ...message, id: `client-${String(message["id"])}` },
      ],
      match: (id, open) => open.find((call) => id === `client-${call}`),
    }),
  }),
  mutant("eca.client/benign-own-fields", {
    ...everything,
    patch: sent("chat/prompt", (params) => ({ ...params, agent: "code", variant: "high" })),
  }),
  mutant("eca.client/benign-no-params", {
    ...everything,
    patch: patch({
      outgoing: (message) =>
        ["shutdown", "exit"].includes(String(message["method"])) ? [{ ...message, params: undefined }] : [message],
    }),
  }),
  mutant("eca.client/benign-anonymous", {
    ...everything,
    patch: patch({ initializeParams: () => ({ processId: null, capabilities: {}, workspaceFolders: [] }) }),
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
  ...benign,
];
