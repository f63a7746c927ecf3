import { defineProtocol, request, notification } from "@editwire/core";
import * as z from "zod";
import {
  type Case,
  type CaseContext,
  type ConformanceProtocol,
  defineCase,
  jsonRpc,
  jsonRpcMonitors,
  framingMonitor,
} from "../src/index.js";
import { makeRegistry } from "../src/core/registry/registry.js";
import type { Requirement } from "../src/core/registry/requirement.js";
import type { PipeEnd } from "../src/wire/pipe.js";
import { FrameCutter } from "../src/wire/framing.js";

/** A requirement of the toy. */
export const row = (
  id: string,
  level: Requirement["level"] = "must",
  basis: Requirement["basis"] = "stated",
): Requirement => ({
  id,
  level,
  basis,
  role: "server",
  text: `the text of ${id}`,
  quotes: [],
  cites: [],
  oracle: "case",
  profiles: [],
  transports: [],
  aka: [],
});

const table = defineProtocol({
  name: "toy",
  version: "1",
  roles: ["client", "server"],
  methods: {
    ping: request({ from: "client", params: z.looseObject({}), result: z.looseObject({ pong: z.boolean() }) }),
    note: notification({ from: "server", params: z.looseObject({ text: z.string() }) }),
  },
});

/** A protocol of two messages: it shows that the engine knows none. `rows` are more requirements. */
export function toy(cases: readonly Case[], rows: readonly Requirement[] = []): ConformanceProtocol {
  const registry = makeRegistry({
    requirements: [
      row("TOY-MUST"),
      row("TOY-MUST-2"),
      row("TOY-SHOULD", "should"),
      row("TOY-MAY", "may"),
      ...rows,
      ...["FRAME", "ENVELOPE", "ERROR", "ID", "ONCE", "UNIQUE"].map((name) => row(`TOY-${name}`)),
    ],
    exclusions: [],
    spec: "",
    pins: {},
  });
  return {
    name: "toy",
    title: "Toy",
    table,
    envelope: jsonRpc,
    profiles: [{ name: "plain" }],
    behaviors: [],
    registry: () => registry,
    roles: {
      server: {
        role: "server",
        peer: "client",
        handshake: async (talk) => ({ capabilities: await talk.send.request("ping", {}).result() }),
        context: (base) => base,
      },
    },
    cases,
    monitors: [
      framingMonitor({ onlyMessages: "TOY-FRAME" }, "toy"),
      ...jsonRpcMonitors(
        { envelope: "TOY-ENVELOPE", error: "TOY-ERROR", id: "TOY-ID", once: "TOY-ONCE", unique: "TOY-UNIQUE" },
        "toy",
      ),
    ],
    vectors: () => [],
    reference: {},
    mutants: [],
  };
}

/** A case for the toy. */
export function toyCase(
  id: string,
  emits: readonly string[],
  run: (t: CaseContext) => Promise<void> | void,
  more: Partial<Case> = {},
): Case {
  return defineCase<CaseContext>({ id: `toy.server.${id}`, role: "server", title: id, emits, ...more }, async (t) =>
    run(t),
  );
}

/** A toy server in memory; `answer` gives the messages for one message. */
export function toyServer(
  answer: (message: Record<string, unknown>) => readonly unknown[] = pong,
): (pipe: PipeEnd) => void {
  return (pipe) => {
    const cutter = new FrameCutter();
    pipe.listen({
      data(chunk) {
        for (const cut of cutter.push(chunk)) {
          if (cut.ok)
            for (const reply of answer(cut.message as Record<string, unknown>))
              pipe.write(Buffer.from(`${JSON.stringify(reply)}\n`));
        }
      },
      end: () => pipe.end(),
    });
  };
}

/** Answers everything with a pong. */
export function pong({ id }: Record<string, unknown>): readonly unknown[] {
  return id === undefined ? [] : [{ jsonrpc: "2.0", id, result: { pong: true } }];
}
