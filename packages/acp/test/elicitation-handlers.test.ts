import { agent, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import {
  type AcpElicitation,
  connectAcp,
  type ElicitationSchema,
  type AcpFillForm,
  type AcpForm,
  formElicitation,
  isWireError,
  urlElicitation,
} from "../src/index.js";
import type { AcpPageRequest } from "../src/client/elicitation-handlers.js";
import { acpPair } from "../src/testing.js";
import { officialPair } from "./official-pair.js";

const requestedSchema: ElicitationSchema = {
  type: "object",
  properties: { name: { type: "string", title: "Name" }, age: { type: "integer", minimum: 18, default: 18 } },
  required: ["name"],
};
const form = { mode: "form", message: "Who are you?", requestedSchema };
const page = (url: string): object => ({ mode: "url", message: "Sign in", url, elicitationId: "e1" });

/** The answer to a question, as an agent on the official SDK gets it. */
async function answerTo(question: object, elicitation: AcpElicitation): Promise<unknown> {
  const { official, ours } = officialPair();
  let answer: unknown;
  agent({ name: "official" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      answer = await client.request("elicitation/create", { sessionId: "s1", ...question } as never);
      return { stopReason: "end_turn" };
    })
    .connect(official);
  const errors: unknown[] = [];
  const client = await connectAcp(ours, { elicitation, onError: (error) => void errors.push(error) });
  await (await client.newSession({ cwd: "/" })).prompt("go").stopReason;
  await client.close();
  return { answer, errors: errors.map(String) };
}

describe("a form that an agent on the official SDK asks for", () => {
  it("is shown until it fits, with what was filled in and what is wrong", async () => {
    const shown: Pick<AcpForm, "message" | "values" | "issues">[] = [];
    const tries = [
      { name: "", age: "17" },
      { name: "Ada", age: "36" },
    ];
    const fill: AcpFillForm = async ({ message, values, issues }) => {
      shown.push({ message, values, issues });
      return tries[shown.length - 1] ?? "cancel";
    };
    expect(await answerTo(form, { form: formElicitation(fill) })).toEqual({
      answer: { action: "accept", content: { name: "Ada", age: 36 } },
      errors: [],
    });
    expect(shown).toEqual([
      { message: "Who are you?", values: { age: 18 }, issues: [] },
      {
        message: "Who are you?",
        values: tries[0],
        issues: [
          { field: "name", message: "a value is required" },
          { field: "age", message: "expected at least 18" },
        ],
      },
    ]);
  });

  it.each(["decline", "cancel"] as const)("is answered %s", async (action) => {
    expect(await answerTo(form, { form: formElicitation(async () => action) })).toEqual({
      answer: { action },
      errors: [],
    });
  });
});

describe("a page that an agent on the official SDK asks for", () => {
  const opened: string[] = [];
  const asked: AcpPageRequest[] = [];
  const url = (isAgreed: boolean) =>
    urlElicitation({
      consent: async (request) => (asked.push(request), isAgreed),
      open: (address) => void opened.push(address),
    });

  it("is opened once the user has seen its address and agreed", async () => {
    expect(await answerTo(page("https://аpple.com/a?b"), { url: url(true) })).toMatchObject({
      answer: { action: "accept" },
    });
    expect(asked.at(-1)).toMatchObject({ message: "Sign in", host: "xn--pple-43d.com" });
    expect(opened.splice(0)).toEqual(["https://xn--pple-43d.com/a?b"]);
    expect(await answerTo(page("http://localhost:8080/a"), { url: url(false) })).toMatchObject({
      answer: { action: "decline" },
    });
    expect(opened).toEqual([]);
  });

  it.each(["http://example.org/", "file:///etc/passwd", "javascript:alert(1)", "https://a:b@example.org/", "nothing"])(
    "is declined without asking at %s",
    async (address) => {
      asked.length = 0;
      expect(await answerTo(page(address), { url: url(true) })).toMatchObject({
        answer: { action: "decline" },
        errors: [expect.stringContaining("expected an https address")],
      });
      expect([asked, opened]).toEqual([[], []]);
    },
  );
});

it("our agent gets an error for an answer that its form does not allow", async () => {
  const answers: unknown[] = [];
  const { client } = await acpPair(
    {
      async prompt(turn) {
        const ask = () => turn.client.elicit({ mode: "form", message: "Who?", requestedSchema });
        answers.push(await ask(), await ask().catch((error: unknown) => error));
      },
    },
    {
      client: {
        elicitation: {
          form: async () => ({
            action: "accept",
            content: answers.length === 0 && turns++ === 0 ? { name: "Ada" } : {},
          }),
        },
      },
    },
  );
  let turns = 0;
  await (await client.newSession({ cwd: "/" })).prompt("go").stopReason;
  expect(answers[0]).toEqual({ action: "accept", content: { name: "Ada" } });
  expect(isWireError(answers[1], "invalid_result")).toBe(true);
  expect(String(answers[1])).toContain("elicitation/create: result.content.name: a value is required");
});
