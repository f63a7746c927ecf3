import { acpPair } from "@editwire/acp/testing";
import { type EcaProfile, ecaProfiles, type EcaTurn } from "@editwire/eca";
import { ecaPair } from "@editwire/eca/testing";
import { helixZedPair } from "@editwire/helix-zed/testing";
import { kaiakProfiles, type KaiakQuestion } from "@editwire/kaiak";
import { kaiakPair } from "@editwire/kaiak/testing";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Agent,
  type AgentDefinition,
  createAgent,
  fromAcp,
  fromKaiak,
  type AgentNewToolCall,
  toAcp,
  toEca,
  toHelixZed,
  toKaiak,
} from "../src/index.js";
import type { AgentPermissionOption } from "../src/api/events.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

const yes: AgentPermissionOption = { optionId: "1", name: "Yes", kind: "allow_once" };
const watching: AgentPermissionOption = { optionId: "2", name: "Yes, and watch", kind: "allow_once" };
const no: AgentPermissionOption = { optionId: "3", name: "No", kind: "reject_once" };
const planning: AgentPermissionOption = { optionId: "4", name: "No, keep planning", kind: "reject_once" };
const always: AgentPermissionOption = { optionId: "5", name: "Always", kind: "allow_always" };

/** An agent that asks for a call with these options, and says which one was selected. */
function asking(
  options: readonly AgentPermissionOption[],
  call: Partial<AgentNewToolCall> = {},
  definition: Partial<AgentDefinition> = {},
): Agent {
  return createAgent({
    ...definition,
    async prompt(turn) {
      const begun = await turn.toolCall({ title: "Run tests", name: "tests", ...call });
      const decision = await turn.requestPermission(begun, options);
      if (decision.allowed) await begun.complete();
      await turn.text(decision.outcome === "selected" ? decision.optionId : decision.outcome);
    },
  });
}

/** The texts of an ECA turn, and the last status of each of its calls. */
async function shown(turn: EcaTurn): Promise<{ said: string; calls: string[] }> {
  let said = "";
  const calls = new Map<string, string>();
  for await (const event of turn) {
    if (event.type === "text") said += event.text;
    if (event.type === "tool_call") calls.set(event.toolCall.title, event.toolCall.status);
  }
  return { said, calls: [...calls].map(([title, status]) => `${title}: ${status}`) };
}

interface EcaUser {
  readonly profile?: EcaProfile;
  /** Answers questions; without it, the client takes none. */
  readonly question?: (question: string, labels: readonly string[]) => string | undefined;
  /** The titles of the calls that the user approves. */
  readonly approves?: readonly string[];
}

async function overEca(agent: Agent, { profile = ecaProfiles.v2026, question, approves = [] }: EcaUser) {
  const reported: string[] = [];
  const served = toEca(agent, { onDiagnostic: ({ message }) => reported.push(message) });
  const { client } = await ecaPair(served, {
    client: {
      workspaceFolders: [],
      profile,
      permission: async ({ title }) => (approves.includes(title) ? "allow_once" : "reject_once"),
      ...(question && {
        question: async ({ question: text, options = [] }) =>
          question(
            text,
            options.map(({ label }) => label),
          ),
      }),
    },
    server: { profile },
  });
  cleanups.push(() => client.close());
  return { ...(await shown(client.newSession().prompt("go"))), reported };
}

describe("several permission options of one kind, in ECA", () => {
  it.each([
    ["Yes, and watch", "2", "completed"],
    ["No", "3", "rejected"],
    [undefined, "3", "rejected"],
  ])("are a question by their names, answered by %j", async (label, optionId, status) => {
    const asked: unknown[] = [];
    const question = (...args: unknown[]): string | undefined => (asked.push(args), label);
    const { said, calls, reported } = await overEca(asking([yes, watching, no]), { question });
    expect(asked).toEqual([["Run tests", ["Yes", "Yes, and watch", "No"]]]);
    expect([said, calls]).toEqual([optionId, [`Run tests: ${status}`]]);
    expect(reported.join()).not.toContain("permission_options");
  });

  it.each(["spec", "v2026"] as const)("are calls to approve for a client without questions, in %s", async (name) => {
    const profile = ecaProfiles[name];
    const approves = ["Run tests: Yes, and watch"];
    const { said, calls, reported } = await overEca(asking([yes, watching, no]), { profile, approves });
    expect(said).toBe("2");
    expect(calls).toEqual(["Run tests: completed", "Run tests: Yes: rejected", "Run tests: Yes, and watch: completed"]);
    expect(reported).toContainEqual(expect.stringContaining("a tool call to approve for each"));
    const refused = await overEca(asking([yes, watching, no]), { profile });
    expect(refused.said).toBe("3");
    expect(refused.calls).toContain("Run tests: rejected");
  });

  it("are cancelled where the user refuses, and the ways to refuse are several", async () => {
    const { said, calls } = await overEca(asking([yes, no, planning]), { question: () => undefined });
    expect([said, calls]).toEqual(["cancelled", ["Run tests: rejected"]]);
  });

  it("are asked by name where approving would mean none of them", async () => {
    const { said } = await overEca(asking([always, no]), { question: () => "Always" });
    expect(said).toBe("5");
  });

  it("are named by their ids, too, where their names are the same", async () => {
    const twin = { ...watching, name: "Yes" };
    const question = (_text: string, labels: readonly string[]): string | undefined => labels[1];
    expect((await overEca(asking([yes, twin, no]), { question })).said).toBe("2");
    expect((await overEca(asking([yes, no]), { approves: ["Run tests"] })).said).toBe("1");
  });

  it("reach it from an ACP agent behind a gateway", async () => {
    const far = toAcp(asking([yes, watching, no]));
    const gateway = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client);
    cleanups.push(() => gateway.close());
    expect((await overEca(gateway, { question: (_text, labels) => labels[1] })).said).toBe("2");
  });
});

describe("several permission options of one kind, in Kaiak", () => {
  const edit = { diff: { path: "/p/a.ts", oldText: "a\n", newText: "b\n" } };

  async function overKaiak(agent: Agent, answers: readonly string[], options = {}, name: "spec" | "v2026" = "spec") {
    const asked: string[] = [];
    const left = [...answers];
    const question = async ({ type, options: labels }: KaiakQuestion): Promise<string | undefined> => {
      asked.push(`${type}: ${labels.join("/")}`);
      return left.shift();
    };
    const profile = kaiakProfiles[name];
    const configuration = { workspace: { working_dir: "/p" } };
    const { client } = await kaiakPair(toKaiak(agent), {
      client: { question, profile },
      server: { configuration, profile },
    });
    cleanups.push(() => client.close());
    await client.configure(configuration);
    let said = "";
    const run = client
      .newSession()
      .prompt([{ id: "1", rule_id: "r", message: "m", uri: "file:///p/a.ts" }], { options });
    for await (const event of run) if (event.type === "text") said += event.text;
    return { asked, said };
  }

  it.each(["spec", "v2026"] as const)("are a choice by their names, in %s", async (name) => {
    const result = await overKaiak(asking([yes, watching, no]), ["Yes, and watch"], {}, name);
    expect(result).toEqual({ asked: ["choice: Yes/Yes, and watch/No"], said: "2" });
  });

  it("are asked for after the change was approved, even one that is approved by itself", async () => {
    const asked = ["file_approval: approve/deny/edit", "choice: Yes/Yes, and watch"];
    const options = { auto_apply_safe_fixes: true };
    const answers = ["approve", "Yes, and watch"];
    expect(await overKaiak(asking([yes, watching, no], edit), answers, options)).toEqual({ asked, said: "2" });
    expect(await overKaiak(asking([yes, no], edit), [], options)).toEqual({ asked: [], said: "1" });
  });

  it("are answered with the plain no of the server by an editor that refuses by kind", async () => {
    const answers: (string | undefined)[] = [];
    const gateway = fromKaiak(
      async (handlers) =>
        (
          await kaiakPair(
            {
              async prompt(turn) {
                const options = ["approve", "edit", "deny"];
                answers.push(await turn.ask({ type: "file_approval", prompt: "Change a.ts?", options }));
              },
            },
            { client: handlers },
          )
        ).client,
    );
    cleanups.push(() => gateway.close());
    const { client } = await acpPair(toAcp(gateway));
    await (await client.newSession({ cwd: "/p" })).prompt("Fix it").stopReason;
    expect(answers).toEqual(["deny"]);
  });
});

it("are not chosen from by a policy for Helix-Zed, which says so", async () => {
  const reported: string[] = [];
  const agent = asking([yes, watching, no], {}, { onDiagnostic: ({ id }) => reported.push(id) });
  const pair = helixZedPair(toHelixZed(agent, { cwd: "/p", permission: "allow_once" }), {});
  cleanups.push(() => pair.close());
  const session = await pair.host.session("ses_1");
  const interaction = await session.prompt("go").interaction;
  expect(JSON.stringify(interaction)).toContain("cancelled");
  expect(reported).toContain("agent.ambiguous-answer");
});
