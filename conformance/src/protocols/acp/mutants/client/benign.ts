import { benignForms } from "../../../../packs/benign.js";
import { mutant } from "../../../../core/mutant.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { rightClient } from "../../reference/client-behavior.js";
import { answers, requests, rewrite } from "../rewrite.js";
import { patch } from "./patch.js";

const everything = { violates: [], cases: ["*"] } as const;
const line = (text: string): Uint8Array => Buffer.from(`${text}\n`);

/** Clients that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignClients = [
  ...benignForms("acp.client"),
  mutant("acp.client/benign-v1", { ...everything, profile: "v1" }),
  mutant("acp.client/benign-headers", {
    ...everything,
    patch: patch({ encode: (message) => encodeFrame(message, "header") }),
  }),
  mutant("acp.client/benign-more-headers", {
    ...everything,
    patch: patch({
      encode(message) {
        const body = Buffer.from(JSON.stringify(message));
        return Buffer.concat([
          Buffer.from(
            `content-length: ${body.length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
          ),
          body,
        ]);
      },
    }),
  }),
  mutant("acp.client/benign-crlf", {
    ...everything,
    patch: patch({ encode: (message) => line(`${JSON.stringify(message)}\r`) }),
  }),
  mutant("acp.client/benign-string-ids", {
    ...everything,
    patch: {
      ...rewrite(requests, (message) => ({ ...message, id: `client-${String(message["id"])}` })),
      ...patch({ match: (id, open) => open.find((one) => id === `client-${one}`) }),
    },
  }),
  mutant("acp.client/benign-own-fields", {
    ...everything,
    patch: patch({
      outgoing: (message) => [
        {
          ...message,
          ...("params" in message && {
            params: { ...(message["params"] as object), _meta: { traceparent: "00" }, "x-vendor": 1 },
          }),
        },
      ],
    }),
  }),
  mutant("acp.client/benign-own-notifications", {
    ...everything,
    patch: patch({
      outgoing: (message) =>
        answers(message)
          ? [{ jsonrpc: "2.0", method: "_vendor/answers", params: { id: message["id"] } }, message]
          : [message],
    }),
  }),
  mutant("acp.client/benign-own-requests", {
    ...everything,
    patch: patch({ afterInitialize: () => [{ method: "session/list", params: {} }] }),
  }),
  mutant("acp.client/benign-own-session", {
    ...everything,
    patch: patch({ afterInitialize: () => [{ method: "session/new", params: { cwd: "/", mcpServers: [] } }] }),
  }),
  mutant("acp.client/benign-anonymous", {
    ...everything,
    patch: patch({ initializeParams: () => ({ protocolVersion: 1 }) }),
  }),
  mutant("acp.client/benign-more-capabilities", {
    ...everything,
    patch: patch({
      initializeParams: () => ({
        protocolVersion: 1,
        clientInfo: { name: "n", title: "N", version: "0" },
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      }),
    }),
  }),
  mutant("acp.client/benign-mcp-servers", {
    ...everything,
    patch: patch({
      sessionParams: (cwd) => ({
        cwd,
        mcpServers: [
          { type: "stdio", name: "files", command: "/bin/true", args: ["-v"], env: [{ name: "A", value: "1" }] },
        ],
      }),
    }),
  }),
  mutant("acp.client/benign-queues-prompts", {
    ...everything,
    patch: patch({ whileBusy: (own) => (own ? "queue" : "send") }),
  }),
  mutant("acp.client/benign-cancels-twice", {
    ...everything,
    patch: patch({
      cancelMessages: (sessionId, id) => [
        ...rightClient.cancelMessages(sessionId, id),
        ...rightClient.cancelMessages(sessionId, id),
      ],
    }),
  }),
  mutant("acp.client/benign-allows-always", {
    ...everything,
    patch: patch({
      choose: (policy, options) =>
        options.find(({ kind }) => kind === `${policy}_always`) ?? rightClient.choose(policy, options),
    }),
  }),
];
