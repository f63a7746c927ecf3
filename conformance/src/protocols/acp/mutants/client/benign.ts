import { benignForms } from "../../../../packs/benign.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { rightClient } from "../../reference/client-behavior.js";
import { isAnswer, isRequest, rewrite } from "../../../../packs/rewrites.js";
import { benign, benignInV1, patch } from "./patch.js";

const line = (text: string): Uint8Array => Buffer.from(`${text}\n`);
/** A text in two blocks, which mean the same as one. */
const halves = (text: string): unknown =>
  [text.slice(0, 4), text.slice(4)].map((half) => ({ type: "text", text: half }));

/** Clients that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignClients = [
  ...benignForms("acp.client"),
  ...benignInV1({
    v1: {},
    "v1-signs-in-as-offered": {
      signInProblem: (id, all) => (all.some((one) => one["id"] === id) ? undefined : "the agent does not offer it"),
    },
  }),
  ...benign({
    headers: { encode: (message) => encodeFrame(message, "header") },
    "more-headers": {
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([
          Buffer.from(
            `content-length: ${body.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
          ),
          body,
        ]);
      },
    },
    crlf: { encode: (message) => line(`${JSON.stringify(message)}\r`) },
    "string-ids": {
      ...rewrite(isRequest, (message) => ({ ...message, id: `client-${String(message["id"])}` })),
      ...patch({ match: (id, open) => open.find((one) => id === `client-${one}`) }),
    },
    "own-fields": {
      outgoing: (message) => [
        {
          ...message,
          ...("params" in message && {
            params: { ...(message["params"] as object), _meta: { traceparent: "00" }, "x-vendor": 1 },
          }),
        },
      ],
    },
    "own-notifications": {
      outgoing: (message) =>
        isAnswer(message)
          ? [{ jsonrpc: "2.0", method: "_vendor/answers", params: { id: message["id"] } }, message]
          : [message],
    },
    "own-requests": { afterInitialize: () => [{ method: "session/list", params: {} }] },
    "own-session": { afterInitialize: () => [{ method: "session/new", params: { cwd: "/", mcpServers: [] } }] },
    anonymous: { initializeParams: () => ({ protocolVersion: 1 }) },
    "more-capabilities": {
      initializeParams: () => ({
        protocolVersion: 1,
        clientInfo: { name: "n", title: "N", version: "0" },
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      }),
    },
    "mcp-servers": {
      sessionParams: (cwd) => ({
        cwd,
        mcpServers: [
          { type: "stdio", name: "files", command: "/bin/true", args: ["-v"], env: [{ name: "A", value: "1" }] },
        ],
      }),
    },
    "queues-prompts": { whileBusy: (own) => (own ? "queue" : "send") },
    "text-in-two-blocks": {
      promptParams: (sessionId, prompt) =>
        rightClient.promptParams(sessionId, typeof prompt === "string" ? halves(prompt) : prompt),
    },
    "cancels-twice": {
      cancelMessages: (sessionId, id) => [
        ...rightClient.cancelMessages(sessionId, id),
        ...rightClient.cancelMessages(sessionId, id),
      ],
    },
    "allows-always": {
      choose: (policy, options) =>
        options.find(({ kind }) => kind === `${policy}_always`) ?? rightClient.choose(policy, options),
    },
  }),
];
