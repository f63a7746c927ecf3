import type { Case } from "../../../../core/run/case.js";
import { ExpectationError } from "../../../../core/errors.js";
import { headerCases, type HeaderFacts } from "../../../../packs/headers.js";
import { defineCases, type AgentContext } from "../../agent-role.js";
import { textOfChunks } from "./chunks.js";

const header = { transports: ["stdio"], isolation: "connection" } as const;
const manyBytes = "ä€😀 — 世界";

/** When something did not arrive, the message that came instead is judged. */
const onlyMisses = (error: unknown): void => {
  if (!(error instanceof ExpectationError)) throw error;
};

/** How the agent framed what it sent since the case began. */
const framings = (t: AgentContext): (string | undefined)[] => t.history().map(({ entry }) => entry.frame?.framing);

const replyCases = defineCases(
  {
    "framing.header-first": {
      title: "a first message with Content-Length is answered in the same framing, and so are all that follow",
      emits: ["ACP-FRAME-002"],
      framing: "header",
      // An agent that does not read the header of its first message is judged by that.
      isolation: "unopened",
      async run(t) {
        await t.require("ACP-FRAME-002", t.session());
        await t.alive();
        t.check(
          "ACP-FRAME-002",
          framings(t).every((framing) => framing === "header"),
          { expected: "every reply with Content-Length", actual: framings(t) },
        );
      },
    },
    "framing.line-first": {
      title: "a first message on a line is answered in the same framing, and so are all that follow",
      emits: ["ACP-FRAME-003"],
      framing: "line",
      isolation: "rough",
      async run(t) {
        await t.prompt(await t.session(), "Hello").response({ deadline: 60_000 });
        await t.alive();
        t.check(
          "ACP-FRAME-003",
          framings(t).every((framing) => framing === "line"),
          { expected: "every reply on a line", actual: framings(t) },
        );
      },
    },
    "framing.line-then-header": {
      title: "replies stay lines when a header comes later",
      emits: ["ACP-FRAME-007"],
      framing: "line",
      isolation: "rough",
      async run(t) {
        await t.initialized();
        await sendFramed(t, (body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, "ACP-FRAME-007");
        await t.alive();
        t.check(
          "ACP-FRAME-007",
          framings(t).every((framing) => framing === "line"),
          { expected: "every reply on a line", actual: framings(t) },
        );
      },
    },
    "framing.bytes": {
      title: "Content-Length counts bytes, and stands before updates, too",
      emits: ["ACP-FRAME-002", "ACP-FRAME-004"],
      framing: "header",
      isolation: "rough",
      needs: ["text"],
      async run(t) {
        const session = await t.session();
        const { entries } = t.conversation.link.trace;
        const start = entries.length;
        const turn = t.prompt(session, t.say("text", { text: manyBytes }));
        await turn.response().catch(onlyMisses);
        // Everything was well framed up to here, so it is the length that is wrong now.
        const garbled = entries.slice(start).find((entry) => entry.kind === "malformed" && entry.from === "target");
        t.check("ACP-FRAME-004", garbled === undefined, {
          message: "bytes that are not a message",
          expected: "a length in bytes",
          at: garbled?.seq,
        });
        await t.require("ACP-FRAME-004", turn.result());
        t.check(
          "ACP-FRAME-002",
          framings(t).every((framing) => framing === "header"),
          { expected: "every message of a turn with Content-Length", actual: framings(t) },
        );
        const said = textOfChunks(turn.updates());
        if (said === "") return t.blocked("the agent did not send the requested text");
        t.check("ACP-FRAME-004", said.includes(manyBytes), { expected: manyBytes, actual: said });
        await t.require("ACP-FRAME-004", t.alive());
      },
    },
  },
  header,
);

/** Sends a request in bytes of the case's own, and waits for its answer. */
async function sendFramed(t: AgentContext, frame: (body: string) => string, req: string): Promise<void> {
  const message = { jsonrpc: "2.0", id: t.conversation.freshId(), method: "_conformance/framed", params: {} };
  t.conversation.link.trace.add({ kind: "message", from: "suite", message });
  t.send.bytes(frame(JSON.stringify(message)));
  await t.require(req, t.expect.message({ id: message.id }));
}

const formRequirement = "ACP-FRAME-006";

/** The facts about the byte streams of agents for the shared pack. */
const headerFacts: HeaderFacts<AgentContext> = {
  prefix: "acp.agent",
  role: "agent",
  transports: ["stdio"],
  forms: {
    "lower-case": formRequirement,
    "line-feeds": formRequirement,
    "no-space": formRequirement,
    "more-fields": formRequirement,
    "content-type-first": formRequirement,
  },
  pieces: "ACP-FRAME-005",
  ready: async (t) => void (await t.initialized()),
};

/** Section 1 on a byte stream. */
export const framingCases: readonly Case[] = [...replyCases, ...headerCases(headerFacts)];
