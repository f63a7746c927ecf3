import { isObject } from "@editwire/core";
import { matches } from "../../../../trace/pattern.js";
import { agentResult } from "../../as-agent.js";
import { defineCases } from "../../client-role.js";

const QUIET_MS = 150;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const blocks = [
  { type: "text", text: "Look at this" },
  { type: "resource_link", uri: "file:///tmp/a.txt", name: "a.txt" },
  { type: "resource", resource: { uri: "file:///tmp/b.txt", mimeType: "text/plain", text: "b" } },
  { type: "resource", resource: { uri: "file:///tmp/c.bin", blob: "AP+A/w==" } },
  { type: "image", data: PIXEL, mimeType: "image/png" },
  { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
];

/** Sections 4, 5.5, 7 and 11: turns. */
export const turnCases = defineCases({
  "turn.prompt": {
    title: "the user sends a prompt",
    emits: ["ACP-TURN-011"],
    smoke: true,
    async run(t) {
      const session = await t.session();
      const text = "What does main.c do? Größe: 日本 🙂";
      const turn = await t.require("ACP-TURN-011", t.prompt(session, text));
      const parts = turn.ask.params["prompt"] as readonly { readonly text?: unknown }[];
      turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Nothing." } });
      turn.end();
      await t.require("ACP-TURN-011", turn.done);
      // Somebody else's words cannot be known.
      if (t.steered)
        t.check(
          "ACP-TURN-011",
          parts
            .map((part) => part.text)
            .join("")
            .includes(text),
          {
            expected: `a prompt with ${text}`,
            actual: parts,
          },
        );
    },
  },
  "turn.next": {
    title: "the user prompts twice in one session",
    emits: ["ACP-TURN-018"],
    async run(t) {
      t.steer("prompt twice");
      const session = await t.session();
      const openings = () =>
        t.history().filter(({ is }) => is.kind === "request" && is.method === "session/new").length;
      const before = openings();
      for (const text of ["What does main.c do?", "And what else?"]) {
        const turn = await t.require("ACP-TURN-018", t.prompt(session, text));
        turn.end();
        await turn.done;
      }
      t.check("ACP-TURN-018", openings() === before, { expected: "no session/new", actual: "another session" });
    },
  },
  "turn.content": {
    title: "the user sends a link, a file, an image and audio",
    emits: ["ACP-SCHEMA-session/prompt:params", "ACP-TURN-011"],
    async run(t) {
      t.steer("prompt something of the case's choice");
      const session = await t.session();
      const turn = await t.require("ACP-SCHEMA-session/prompt:params", t.prompt(session, blocks));
      const sent = turn.ask.params["prompt"] as readonly unknown[];
      const places = blocks.map((block) => sent.findIndex((one) => matches(one, block)));
      const inOrder = places.every((place, index) => place > (places[index - 1] ?? -1));
      t.check("ACP-TURN-011", inOrder, { expected: "everything that the user sends, in this order", actual: sent });
      turn.end();
      await turn.done;
    },
  },
  "turn.plain-agent": {
    title: "an agent accepts neither images nor audio nor files",
    emits: ["ACP-TURN-015"],
    isolation: "connection",
    async run(t) {
      t.steer("prompt something of the case's choice");
      await t.initialize({ ...agentResult, agentCapabilities: { loadSession: true } });
      const session = await t.session();
      for (const block of blocks.slice(2)) {
        const prompted = t.act("prompt", { sessionId: session.id, prompt: [{ type: "text", text: "Look" }, block] });
        const ask = await Promise.race([
          t.expect.request("session/prompt"),
          prompted.then(
            () => undefined,
            () => undefined,
          ),
        ]);
        if (ask === undefined) continue;
        t.reply(ask, { stopReason: "end_turn" });
        const sent = JSON.stringify(ask.params["prompt"]);
        t.check("ACP-TURN-015", !sent.includes(`"type":"${block.type}"`), {
          expected: `no ${block.type}`,
          actual: ask.params["prompt"],
        });
        await prompted.catch(() => {});
      }
      t.pass("ACP-TURN-015");
    },
  },
  "turn.stop-reasons": {
    title: "turns end for each of the five reasons",
    emits: ["ACP-TURN-012"],
    async run(t) {
      const session = await t.session();
      for (const stopReason of ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]) {
        const turn = await t.require("ACP-TURN-012", t.prompt(session));
        turn.end(stopReason);
        await t.require("ACP-TURN-012", turn.done);
        t.steer("prompt again");
      }
      await t.require("ACP-TURN-012", t.works(session));
    },
  },
  "turn.stop-reasons-told": {
    title: "the client reports why a turn ended",
    emits: ["ACP-TURN-017"],
    async run(t) {
      t.steer("report the stop reason");
      const session = await t.session();
      for (const stopReason of ["max_tokens", "refusal", "max_turn_requests", "cancelled", "end_turn"]) {
        const turn = await t.prompt(session);
        if (stopReason === "cancelled") await t.act("cancel", { sessionId: session.id }, { optional: true });
        turn.end(stopReason);
        const told = await turn.done;
        t.needs(isObject(told) && told["stopReason"] !== undefined, "the client reports no stop reason");
        t.check("ACP-TURN-017", isObject(told) && told["stopReason"] === stopReason, {
          expected: stopReason,
          actual: told,
        });
      }
    },
  },
  "turn.busy": {
    title: "the user prompts again while a turn runs, and while one that was cancelled is not over",
    emits: ["ACP-TURN-009"],
    async run(t) {
      t.steer("prompt twice");
      for (const stopReason of ["end_turn", "cancelled"]) {
        const session = await t.session();
        const turn = await t.prompt(session, "The first");
        if (stopReason === "cancelled") await t.act("cancel", { sessionId: session.id }, { optional: true });
        const second = t.act("prompt", { sessionId: session.id, prompt: "The second" });
        const failed = second.then(
          () => false,
          () => true,
        );
        await t.require("ACP-TURN-009", t.quiet(QUIET_MS, { method: "session/prompt" }));
        turn.end(stopReason);
        await turn.done;
        // It may have kept the second prompt for later, or refused it.
        const kept = t.expect.request("session/prompt", { sessionId: session.id });
        const later = kept.then((ask) => t.reply(ask, { stopReason: "end_turn" }));
        await Promise.race([later, failed]);
      }
    },
  },
  "turn.busy-refused": {
    title: "a prompt is refused with -32600",
    emits: ["ACP-TURN-013"],
    async run(t) {
      const session = await t.session();
      const turn = await t.prompt(session);
      t.steer("prompt again");
      t.refuse(turn.ask, { code: -32600, message: "prompt already running" });
      await turn.done.catch(() => {});
      await t.require("ACP-TURN-013", t.works(session));
    },
  },
  "turn.two-sessions": {
    title: "the user prompts in one session while a turn of another session runs",
    emits: ["ACP-TURN-014"],
    async run(t) {
      t.steer("open two sessions");
      const [first, second] = [await t.session(), await t.session()];
      const slow = await t.prompt(first, "Take your time");
      const quick = await t.require("ACP-TURN-014", t.prompt(second, "Be quick"));
      quick.end();
      await t.require("ACP-TURN-014", quick.done);
      slow.end();
      await slow.done;
    },
  },
  "turn.agent-gone": {
    title: "the agent ends while a turn runs",
    emits: ["ACP-TURN-016"],
    isolation: "last",
    transports: ["stdio"],
    async run(t) {
      t.steer("say when a turn is over");
      const session = await t.session();
      const turn = await t.prompt(session);
      turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "I am d" } });
      t.halfClose();
      const ended = await turn.done.then(
        () => undefined,
        (error: unknown) =>
          error instanceof Error && "miss" in error && error.miss === "timeout" ? "nothing" : undefined,
      );
      t.check("ACP-TURN-016", ended === undefined, { expected: "the turn is over", actual: ended });
    },
  },
});
