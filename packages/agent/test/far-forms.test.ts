// A form that a far ACP agent shows, as the questions that a user of the gateway answers.
import type { AcpAgent } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { afterEach, expect, it } from "vitest";
import { type AgentQuestion, fromAcp, type SessionView } from "../src/index.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

type Schema = Readonly<Record<string, unknown>>;

/** The answer to the far agent, the questions to the user, and the reports. */
async function fill(requestedSchema: Schema, answers: readonly (string | undefined)[]) {
  let answered: unknown;
  const far: AcpAgent = {
    async prompt(turn) {
      answered = await turn.client.elicit({ mode: "form", message: "Deploy it?", requestedSchema } as never);
    },
  };
  const reported: string[] = [];
  const gateway = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client, {
    onDiagnostic: ({ message }) => reported.push(message),
  });
  cleanups.push(() => gateway.close());
  const asked: AgentQuestion[] = [];
  const view: SessionView = {
    name: "view",
    event: () => {},
    question: async (question) => answers[asked.push(question) - 1],
  };
  const session = await gateway.newSession({ cwd: "/p" });
  expect(await session.prompt("go", { view })).toEqual({ stopReason: "end_turn" });
  return {
    answered,
    asked: asked.map(({ question, options }) => [question, ...options.map(({ label }) => label)]),
    freeform: asked.map(({ allowFreeform }) => allowFreeform),
    reported,
  };
}

const text = { type: "string" };
const count = { type: "integer", title: "How many", minimum: 1 };

it("asks whether a form without fields is agreed to", async () => {
  const form = { type: "object", properties: {} };
  const asked = [["Deploy it?", "yes", "no"]];
  expect(await fill(form, ["yes"])).toMatchObject({ asked, answered: { action: "accept" } });
  expect(await fill(form, ["no"])).toMatchObject({ asked, answered: { action: "decline" } });
});

it("asks again only what does not fit, and says why", async () => {
  const form = { type: "object", properties: { name: text, count }, required: ["name", "count"] };
  expect(await fill(form, ["a", "0", "2"])).toMatchObject({
    answered: { action: "accept", content: { name: "a", count: 2 } },
    asked: [["Deploy it?\nname"], ["Deploy it?\nHow many"], [expect.stringMatching(/^Deploy it\?\nHow many: .*1/)]],
  });
});

it("declines a form with a required field of a type that is not known", async () => {
  const form = { type: "object", properties: { name: text, place: { type: "map" } }, required: ["place"] };
  const reported = ["acp: a field of the type map of the far agent is not carried"];
  expect(await fill(form, [])).toEqual({ answered: { action: "decline" }, asked: [], freeform: [], reported });
});

it("leaves out other fields of types that are not known, and says so", async () => {
  const form = { type: "object", properties: { name: text, place: { type: "map" } } };
  expect(await fill(form, ["a"])).toEqual({
    answered: { action: "accept", content: { name: "a" } },
    asked: [["Deploy it?"]],
    freeform: [true],
    reported: ["acp: a field of the type map of the far agent is not carried"],
  });
});

it("takes several choices with commas between them", async () => {
  const anyOf = ["r", "g", "b"].map((value, at) => ({ const: value, title: ["Red", "Green", "Blue"][at] }));
  const form = { type: "object", properties: { colours: { type: "array", items: { anyOf }, minItems: 2 } } };
  const labels = ["Red", "Green", "Blue"];
  const hint = "You can give several answers, separated by commas.";
  expect(await fill(form, ["Blue", "Blue, pink", "Blue, r"])).toEqual({
    answered: { action: "accept", content: { colours: ["b", "r"] } },
    asked: [
      [`Deploy it?\n${hint}`, ...labels],
      [expect.stringMatching(/^Deploy it\?\ncolours: .*2/), ...labels],
      [expect.stringContaining("Deploy it?\ncolours: "), ...labels],
    ],
    freeform: [true, true, true],
    reported: [],
  });
});

it("keeps what the agent filled in where nothing can be asked", async () => {
  const form = { type: "object", properties: { place: { type: "map", default: "here" } }, required: ["place"] };
  expect(await fill(form, ["yes"])).toMatchObject({
    answered: { action: "accept", content: { place: "here" } },
    asked: [["Deploy it?", "yes", "no"]],
  });
});

it("does not take other words for a choice that is required", async () => {
  const size = { type: "string", enum: ["small", "big"] };
  const form = (required: string[]) => ({ type: "object", properties: { size, words: text }, required });
  expect(await fill(form(["size"]), ["big"])).toMatchObject({
    answered: { action: "accept", content: { size: "big" } },
    freeform: [false],
  });
  expect(await fill(form([]), ["huge"])).toMatchObject({
    answered: { action: "accept", content: { words: "huge" } },
    freeform: [true],
  });
});
