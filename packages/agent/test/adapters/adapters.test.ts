import type { AcpSession, AcpPermissionAnswer, AcpPermissionQuestion } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAgent, toAcp } from "../../src/index.js";
import { type LoopbackModel, loopbackModel } from "../loopback-model.js";
import { agents } from "./agents.js";

let model: LoopbackModel;
beforeAll(async () => void (model = await loopbackModel()));
afterAll(() => model.close());

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

const errors: unknown[] = [];
/** The titles of the calls that the user was asked about. */
const asked: string[] = [];

async function open(name: string, answer: AcpPermissionAnswer = "allow_once"): Promise<AcpSession> {
  const prompt = agents[name]?.(model.url);
  if (prompt === undefined) throw new Error(`expected an agent named ${name}`);
  const agent = createAgent({ prompt, onError: (error) => errors.push(error) });
  const permission = async ({ toolCall }: AcpPermissionQuestion): Promise<AcpPermissionAnswer> => {
    asked.push(toolCall.title ?? "");
    return answer;
  };
  const { client } = await acpPair(toAcp(agent), { client: { permission } });
  cleanups.push(() => client.close());
  return client.newSession({ cwd: "/p" });
}

describe.each(Object.keys(agents))("an agent made with %s", (name) => {
  it("streams, runs its tool after the user allowed it, and says what the tool said", async () => {
    const session = await open(name);
    const seen: string[] = [];
    asked.length = 0;
    for await (const event of session.prompt("Add 1 and 2")) {
      if (event.type === "text") seen.push(event.text);
      if (event.type === "tool_call") seen.push(`${event.toolCall.title}: ${event.toolCall.status}`);
      if (event.type === "stop") seen.push(event.stopReason);
    }
    expect(seen.filter((one, index) => one !== seen[index - 1])).toEqual([
      "Let me ",
      "add.",
      "Add two numbers: pending",
      "Add two numbers: in_progress",
      "Add two numbers: completed",
      "It is 3.",
      "end_turn",
    ]);
    expect(asked).toEqual(["Add two numbers"]);
    expect(session.state.entries).toContainEqual(
      expect.objectContaining({ toolCall: expect.objectContaining({ rawInput: { a: 1, b: 2 }, rawOutput: "3" }) }),
    );
    expect(model.requests.at(-1)?.tools).toMatchObject([{ function: { name: "add" } }]);
  });

  it("gives the model the user's no", async () => {
    const session = await open(name, "reject_once");
    await session.prompt("Add 1 and 2").stopReason;
    expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: "The user did not allow this tool call.",
    });
    expect(session.state.entries).toContainEqual(
      expect.objectContaining({ toolCall: expect.objectContaining({ status: "rejected" }) }),
    );
  });

  it("says that the model broke off, where its library does", async () => {
    const session = await open(name);
    // LangChain leaves out of streamed messages why a model of OpenAI's API ended.
    const expected = name === "LangGraph.js" ? "end_turn" : "max_tokens";
    await expect(session.prompt("long").stopReason).resolves.toBe(expected);
  });

  it("fails without the text of a failed model, which onError gets", async () => {
    const session = await open(name);
    errors.length = 0;
    await expect(session.prompt("break").stopReason).rejects.toThrow(/^Internal error$/);
    expect(String(errors)).toContain("broken on purpose");
  });

  it("says the model's thoughts, and stops without an error when the turn is cancelled in the answer", async () => {
    const session = await open(name);
    errors.length = 0;
    const turn = session.prompt("think");
    let thought = "";
    for await (const event of turn) {
      if (event.type === "thought") thought += event.text;
      if (event.type === "text") void turn.cancel();
    }
    await expect(turn.stopReason).resolves.toBe("cancelled");
    expect(thought).toBe("Hm, well.");
    expect(errors).toEqual([]);
  });

  it("stops when the turn is cancelled while the user is asked", async () => {
    const session = await open(name);
    const turn = session.prompt("Add 1 and 2");
    const count = model.requests.length;
    for await (const event of turn) if (event.type === "tool_call") await turn.cancel();
    await expect(turn.stopReason).resolves.toBe("cancelled");
    expect(model.requests.length).toBeLessThanOrEqual(count + 1);
  });
});
