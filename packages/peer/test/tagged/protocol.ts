import { defineProtocol, type Diagnostic, notification, type PeerHandler, request } from "@editwire/core";
import type { Transport } from "@editwire/transport";
import * as z from "zod";
import type { Envelope } from "@editwire/core";
import { taggedPeer } from "../../src/index.js";
import type { TaggedOptions } from "../../src/tagged/options.js";
import { charsOf } from "../../src/index.js";

const any = z.looseObject({});

/** Two roles, two envelopes: calls stand flat, everything else has its params in `data`. */
export const tools = defineProtocol({
  name: "tools",
  version: "1",
  roles: ["backend", "plugin"],
  session: "topic",
  methods: {
    CALL: request({
      from: "backend",
      params: any,
      result: any,
      reply: { name: "RESULT", by: "callId", aliases: ["id"] },
    }),
    NEWS: notification({ from: "plugin", params: any }),
    ORDER: notification({ from: "backend", params: any }),
  },
});

export const envelope: Envelope<"backend" | "plugin"> = {
  backend: { form: { name: "type", params: "data" }, except: { CALL: { name: "type" } } },
  plugin: { form: { name: "event", params: "data", beside: ["topic"] }, tolerated: [{ name: "event" }] },
};

/** The ids of its calls are those that the test puts into their params. */
const newId = (_call: string, params: unknown): string => (params as { callId: string }).callId;
export const backendPeer = (transport: Transport, options?: TaggedOptions) =>
  taggedPeer(transport, { protocol: tools, self: "backend", envelope }, { newId, ...options });
export const pluginPeer = (transport: Transport, options?: TaggedOptions) =>
  taggedPeer(transport, { protocol: tools, self: "plugin", envelope }, options);

/** A handler that keeps what it receives. */
export function recorder(handler: Partial<PeerHandler> = {}) {
  const seen: { name: string; params: unknown }[] = [];
  const diagnostics: Diagnostic[] = [];
  const errors: unknown[] = [];
  const callbacks: PeerHandler = {
    request: (name) => {
      throw new Error(`unexpected call ${name}`);
    },
    notification: (name, params) => void seen.push({ name, params }),
    session: (_name, params) => (params as { topic?: string }).topic,
    diagnostic: (one) => void diagnostics.push(one),
    error: (one) => void errors.push(one),
    ...handler,
  };
  return { seen, diagnostics, errors, callbacks };
}

/** A transport whose far end is the test. */
export function wire() {
  const sent: unknown[] = [];
  let events: Parameters<Transport["start"]>[0] | undefined;
  const transport: Transport = {
    start: (given) => void (events = given),
    send: (json) => void sent.push(JSON.parse(json)),
    close: () => Promise.resolve(),
  };
  return {
    transport,
    sent,
    receive: (message: unknown) => events?.message(message, charsOf(message)),
    get events() {
      return events;
    },
  };
}
