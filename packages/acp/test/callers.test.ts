import { describe, expect, it, onTestFinished } from "vitest";
import { type AcpAgent, type AcpClient, dialAcp, isSessionNotFound, type AcpTurnEvent } from "../src/index.js";
import { listenAcp } from "../src/node.js";

const cwd = "/work/project";
const tokens: Readonly<Record<string, string>> = { "Bearer one": "ada", "Bearer two": "bob" };

/** Serves an agent to Ada and Bob, and connects both. */
async function serve(agent: Partial<AcpAgent> = {}): Promise<{ ada: AcpClient; bob: AcpClient; url: string }> {
  const listener = await listenAcp(
    { prompt: async (turn) => void turn.text(`for ${turn.session.caller}`), ...agent },
    { paths: "spec", authenticate: ({ headers }) => tokens[headers.get("authorization") ?? ""], closeTimeoutMs: 20 },
  );
  onTestFinished(() => listener.close());
  const dial = async (token: string): Promise<AcpClient> => {
    const client = await dialAcp(listener.url, { paths: "spec", token, closeTimeoutMs: 100 });
    onTestFinished(() => client.close());
    return client;
  };
  return { ada: await dial("one"), bob: await dial("two"), url: listener.url };
}

async function eventsOf(turn: AsyncIterable<AcpTurnEvent>): Promise<string[]> {
  const events: string[] = [];
  for await (const event of turn) events.push(event.type === "text" ? event.text : event.type);
  return events;
}

describe("callers of an agent over HTTP", () => {
  it("names the caller to the handlers", async () => {
    const seen: unknown[] = [];
    const { bob } = await serve({ initialize: (_params, { caller }) => void seen.push(caller) });
    expect(seen).toEqual(["ada", "bob"]);
    const session = await bob.newSession({ cwd });
    expect(await eventsOf(session.prompt("Hello"))).toEqual(["for bob", "stop"]);
  });

  it("does not find another caller's session, whatever is asked of it", async () => {
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    const asked: string[] = [];
    const { ada, bob } = await serve({
      modes,
      loadSession: ({ sessionId }, { caller }) => void asked.push(`${caller} ${sessionId}`),
    });
    const { id: sessionId } = await ada.newSession({ cwd });
    const { connection } = bob;
    const prompt = [{ type: "text" as const, text: "Hello" }];
    for (const call of [
      connection.request("session/prompt", { sessionId, prompt }),
      connection.request("session/set_mode", { sessionId, modeId: "ask" }),
      connection.request("session/load", { sessionId, cwd, mcpServers: [] }),
    ]) {
      const error = await call.then(
        () => "found",
        (reason: unknown) => reason,
      );
      expect(isSessionNotFound(error), String(error)).toBe(true);
    }
    expect(asked).toEqual([`bob ${sessionId}`]);
  });

  it("does not let one caller cancel another one's turn", async () => {
    let finish = (): void => {};
    const { ada, bob } = await serve({
      prompt: (turn) =>
        new Promise((resolve) => {
          finish = resolve;
          void turn.text("working");
        }),
    });
    const session = await ada.newSession({ cwd });
    const turn = session.prompt("Work");
    const events = turn[Symbol.asyncIterator]();
    await events.next();
    await bob.connection.notify("session/cancel", { sessionId: session.id });
    await bob.newSession({ cwd }); // its answer comes after the cancel was handled
    finish();
    expect(await turn.stopReason).toBe("end_turn");
  });

  it("refuses a caller without credentials", async () => {
    const { url } = await serve();
    await expect(dialAcp(url, { paths: "spec", token: "three" })).rejects.toThrow("the server answered 401");
  });

  it("admits other machines with authenticate in place of a token", async () => {
    const listener = await listenAcp(
      { prompt: async () => {} },
      { paths: "spec", host: "0.0.0.0", port: 0, authenticate: () => undefined },
    );
    onTestFinished(() => listener.close());
    expect(listener.url).toContain("http://");
  });
});
