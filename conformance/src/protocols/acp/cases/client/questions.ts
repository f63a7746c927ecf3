import type { Case } from "../../../../core/run/case.js";
import { agentResult } from "../../as-agent.js";
import { defineCases, type ClientContext } from "../../client-role.js";
import { declares } from "./services.js";

type Json = Record<string, unknown>;
const form = {
  mode: "form",
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", maxLength: 20 },
      age: { type: "integer", title: "Age", minimum: 0 },
      role: { type: "string", title: "Role", enum: ["author", "reader"] },
    },
    required: ["name"],
  },
};

async function elicit(t: ClientContext, user: Json): Promise<Json> {
  const { id: sessionId } = await t.session();
  await t.act("elicitation", user, { optional: true });
  return t.send.request("elicitation/create", { sessionId, ...form }).result();
}
const offersForms = async (t: ClientContext): Promise<void> =>
  t.needs(await declares(t, "elicitation", "form"), "the client does not declare elicitation.form");
const method = (id: string, more: Json = {}): Json => ({ id, name: `Sign in with ${id}`, ...more });

/** Forms that an agent has the user fill in. */
const formCases: readonly Case[] = defineCases({
  "elicitation.form": {
    title: "the user fills in a form",
    emits: ["ACP-ELICIT-001"],
    async run(t) {
      await offersForms(t);
      const content = { name: "Ada", age: 36 };
      const actual = await t.require("ACP-ELICIT-001", elicit(t, { action: "accept", content }));
      const given = actual["content"] as Json | undefined;
      t.check("ACP-ELICIT-001", actual["action"] === "accept" && given?.["name"] === "Ada" && given["age"] === 36, {
        expected: { action: "accept", content },
        actual,
      });
    },
  },
  "elicitation.no": {
    title: "the user declines one form and closes another",
    emits: ["ACP-ELICIT-002"],
    async run(t) {
      await offersForms(t);
      for (const action of ["decline", "cancel"]) {
        const actual = await t.require("ACP-ELICIT-002", elicit(t, { action }));
        t.check("ACP-ELICIT-002", actual["action"] === action, { expected: { action }, actual });
      }
    },
  },
  "elicitation.unfit": {
    title: "the user fills in a form with invalid values",
    emits: ["ACP-ELICIT-003"],
    async run(t) {
      await offersForms(t);
      const unfit = [
        { name: "Ada", age: "old" },
        { age: 36 },
        { name: "Ada", age: -1 },
        { name: "Ada", role: "owner" },
        { name: "A".repeat(21) },
      ];
      for (const content of unfit) {
        await t.act("elicitation", { action: "accept", content }, { optional: true });
        const { id: sessionId } = await t.session();
        const answer = await t.require(
          "ACP-ELICIT-003",
          t.send.request("elicitation/create", { sessionId, ...form }).response(),
        );
        const result = "result" in answer ? (answer.result as Json | undefined) : undefined;
        t.check("ACP-ELICIT-003", result?.["action"] !== "accept", {
          expected: "content that fits the schema, or none",
          actual: answer,
        });
      }
    },
  },
  "elicitation.unadvertised": {
    title: "an agent asks the user although the client does not offer forms",
    emits: ["ACP-ELICIT-004"],
    async run(t) {
      t.needs(!(await declares(t, "elicitation", "form")), "the client declares elicitation.form");
      const { id: sessionId } = await t.session();
      await t.require("ACP-ELICIT-004", t.send.request("elicitation/create", { sessionId, ...form }).error());
    },
  },
});

/** Signing in. */
const authCases: readonly Case[] = defineCases({
  "authenticate.unoffered": {
    title: "the user signs in with a method that the agent does not offer",
    emits: ["ACP-AUTH-003"],
    isolation: "connection",
    async run(t) {
      await t.initialize({ ...agentResult, authMethods: [method("token")] });
      await t.require("ACP-AUTH-003", t.refrains("authenticate", { methodId: "password" }, "authenticate"));
      const { done } = await t.tell("authenticate", { methodId: "token" }, "authenticate");
      await t.require("ACP-AUTH-003", done);
    },
  },
  "authenticate.terminal": {
    title: "a method that is a program is not passed to authenticate",
    emits: ["ACP-AUTH-004"],
    isolation: "connection",
    async run(t) {
      const result = { ...agentResult, authMethods: [method("token"), method("tui", { type: "terminal", args: [] })] };
      await t.initialize(result);
      t.needs(await declares(t, "auth", "terminal"), "the client does not declare auth.terminal");
      await t.require("ACP-AUTH-004", t.refrains("authenticate", { methodId: "tui" }, "authenticate"));
    },
  },
  "authenticate.logout": {
    title: "the agent does not declare that it can log out",
    emits: ["ACP-AUTH-005"],
    isolation: "connection",
    async run(t) {
      await t.initialize(agentResult);
      await t.require("ACP-AUTH-005", t.refrains("logout", {}, "logout"));
    },
  },
});

/** Cases about an agent's questions to the user, and about signing in. */
export const questionCases: readonly Case[] = [...formCases, ...authCases];
