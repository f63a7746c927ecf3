import { matches, type Pattern, where } from "../../../../trace/pattern.js";
import { defineCases, type AgentContext } from "../../agent-role.js";
import { traitsOf } from "../../traits.js";
import { textOfChunks } from "./chunks.js";
import { confided, recalled } from "./session.js";
import { needsContent } from "./v1-facts.js";

/** The behaviors that end a turn, and the stop reason that says so. */
const endings = [
  ["text", "end_turn"],
  ["max-tokens", "max_tokens"],
  ["max-turn-requests", "max_turn_requests"],
  ["refuse", "refusal"],
] as const;

const LONG_MS = 30_000;
const text = (value: string): Record<string, unknown> => ({ type: "text", text: value });
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** All that section 7 allows, with what is optional and without. */
const blocks = [
  { type: "resource_link", uri: "file:///tmp/a.ts" },
  { type: "resource_link", uri: "file:///tmp/b.ts", name: "b.ts", mimeType: "text/plain", description: "B" },
  { type: "resource", resource: { uri: "file:///tmp/c.ts", text: "let c" } },
  { type: "resource", resource: { uri: "file:///tmp/d.bin", blob: "AAEC", mimeType: "application/octet-stream" } },
  { type: "image", data: png },
  { type: "image", data: png, mimeType: "image/png" },
  { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
  { type: "audio", data: "UklGRg==" },
];

/** A block with what the dialect requires of it. */
function inDialect(t: AgentContext, block: Record<string, unknown>): Record<string, unknown> {
  if (!traitsOf(t).namesContents) return block;
  if (block["type"] === "resource_link")
    return { name: "a.ts", size: 5, annotations: { audience: ["user"], priority: 0.5 }, ...block };
  if (block["type"] === "resource") return block;
  return { mimeType: block["type"] === "image" ? "image/png" : "audio/wav", ...block };
}

/** The result of a turn that ends by itself; a plain prompt leaves the reason to the agent. */
const ends = ({ plain }: AgentContext): Pattern => ({
  stopReason: plain ? where("a stop reason other than cancelled", (reason) => reason !== "cancelled") : "end_turn",
});

/** Sections 5.5, 7, 8.2 and 11: prompt turns. */
export const turnCases = defineCases({
  ...defineCases.each(endings, ([behavior, stopReason]) => ({
    [`turn.${behavior}`]: {
      title: `a turn that ends by ${behavior} says ${stopReason}`,
      emits: ["ACP-TURN-001", "ACP-TURN-002"],
      needs: [behavior],
      plain: behavior === "text",
      smoke: behavior === "text", // This behavior makes many requests.
      ...(behavior === "max-turn-requests" && { deadline: LONG_MS }),
      async run(t) {
        const session = await t.session();
        const result = await t.require("ACP-TURN-001", t.prompt(session, t.say(behavior)).result());
        t.check("ACP-TURN-002", matches(result, t.plain ? ends(t) : { stopReason }), {
          expected: `stopReason ${t.plain ? "of a turn that was not cancelled" : stopReason}`,
          actual: result,
        });
      },
    },
  })),
  ...defineCases.each(blocks, (block, index) => ({
    [`turn.content-${index + 1}-${block.type}`]: {
      title: `a prompt may hold ${block.type} with ${Object.keys(block)
        .filter((key) => key !== "type")
        .join(", ")}`,
      emits: ["ACP-TURN-004"],
      needs: ["text"],
      plain: index === 0, // Every agent has to read it.
      async run(t) {
        if (traitsOf(t).gatesContents) await needsContent(t, block.type);
        const session = await t.session();
        await t.require("ACP-TURN-004", t.prompt(session, [text(t.say("text")), inDialect(t, block)]).result(ends(t)));
      },
    },
  })),
  "turn.long-prompt": {
    title: "a prompt may hold text of thousands of characters",
    emits: ["ACP-TURN-004"],
    needs: ["text"],
    plain: true,
    async run(t) {
      const session = await t.session();
      // An agent may end a turn whose model repeats itself.
      const words = Array.from({ length: 1_000 }, (_, index) => `word ${index}`);
      const long = t.say("text", { text: words.join(", ") });
      await t.require("ACP-TURN-004", t.prompt(session, long).result(ends(t)));
    },
  },
  "turn.not-an-array": {
    title: "a prompt that is not an array is refused",
    emits: ["ACP-TURN-005"],
    async run(t) {
      const session = await t.session();
      const params = { sessionId: session.id, prompt: "Hello" };
      await t.require(
        "ACP-TURN-005",
        t.send.invalid({ jsonrpc: "2.0", id: "not-an-array", method: "session/prompt", params }).error(),
      );
    },
  },
  "turn.unknown-session": {
    title: "a prompt for an unknown session is refused",
    emits: ["ACP-TURN-005"],
    async run(t) {
      await t.initialized();
      await t.require("ACP-TURN-005", t.prompt({ id: "no-such-session", modes: undefined }, "Hello").error());
    },
  },
  "turn.second-prompt": {
    title: "every other prompt is refused while the first runs, which they do not disturb",
    emits: ["ACP-TURN-006", "ACP-TURN-007"],
    needs: ["ask-permission", "text"],
    async run(t) {
      const session = await t.session();
      const first = t.prompt(session, t.say("ask-permission"));
      const ask = await t.expect.request("session/request_permission", { sessionId: session.id });
      await t.require("ACP-TURN-006", t.prompt(session, t.say("text")).error(-32600));
      const third = t.prompt(session, t.say("text"));
      await third.response();
      t.decide(ask, "allow_once");
      await t.require("ACP-TURN-007", first.result({ stopReason: "end_turn" }));
      await t.require("ACP-TURN-006", third.error(-32600)); // an agent that ended the first turn rightly takes this one
      await t.require("ACP-TURN-007", t.prompt(session, t.say("text")).result({ stopReason: "end_turn" }));
    },
  },
  "turn.next": {
    title: "a session takes another prompt when a turn is over",
    emits: ["ACP-TURN-008"],
    needs: ["text"],
    plain: true,
    async run(t) {
      const session = await t.session();
      for (let turn = 0; turn < 2; turn++)
        await t.require("ACP-TURN-008", t.prompt(session, t.say("text")).result(ends(t)));
    },
  },
  "turn.after-error": {
    title: "a session takes a prompt after a turn that failed, and remembers the messages before it",
    emits: ["ACP-TURN-008", "ACP-SESSION-013"],
    needs: ["text", "error", "recall"],
    async run(t) {
      const { session, secret } = await confided(t);
      await t.prompt(session, t.say("error")).response();
      await t.require("ACP-TURN-008", t.prompt(session, t.say("text")).result({ stopReason: "end_turn" }));
      const known = await recalled(t, session);
      t.check("ACP-SESSION-013", known.includes(secret), { expected: "what the user said before", actual: known });
    },
  },
  "turn.after-refusal": {
    title: "a session takes a prompt after one that was refused",
    emits: ["ACP-TURN-008"],
    needs: ["text"],
    async run(t) {
      const session = await t.session();
      const params = { sessionId: session.id, prompt: "Hello" };
      await t.send
        .invalid({ jsonrpc: "2.0", id: t.conversation.freshId(), method: "session/prompt", params })
        .response();
      await t.require("ACP-TURN-008", t.prompt(session, t.say("text")).result({ stopReason: "end_turn" }));
    },
  },
  "turn.side-by-side": {
    title: "a turn of another session runs while one waits",
    emits: ["ACP-TURN-010", "ACP-UPDATE-006"],
    needs: ["ask-permission", "text"],
    plain: true,
    async run(t) {
      const [waiting, other] = [await t.session(), await t.session()];
      if (t.plain) {
        const turns = [waiting, other].map((session) => t.prompt(session, t.say("text")).result(ends(t)));
        await t.require("ACP-TURN-010", Promise.all(turns));
        return t.notApplicable("only a text that was asked for shows whose it is");
      }
      const first = t.prompt(waiting, t.say("ask-permission"));
      const ask = await t.expect.request("session/request_permission", { sessionId: waiting.id });
      const second = t.prompt(other, t.say("text", { text: "beside" }));
      const ended = second.result({ stopReason: "end_turn" });
      await t.require("ACP-TURN-010", ended).finally(() => t.reply(ask, { outcome: { outcome: "cancelled" } }));
      const said = textOfChunks(second.updates());
      t.check("ACP-UPDATE-006", said.includes("beside"), {
        expected: "beside, in the session of its turn",
        actual: said,
      });
      await first.response();
    },
  },
  "update.chunks": {
    title: "chunks of a text arrive in order and verbatim",
    emits: ["ACP-UPDATE-007"],
    needs: ["chunks"],
    async run(t) {
      const session = await t.session();
      const turn = t.prompt(session, t.say("chunks", { count: 20 }));
      await turn.response();
      const said = textOfChunks(turn.updates());
      const expected = Array.from({ length: 20 }, (_, index) => `${index + 1} `).join("");
      t.check("ACP-UPDATE-007", said === expected, { expected, actual: said });
    },
  },
});
