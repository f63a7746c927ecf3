import { client as officialClient, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import {
  type AcpAgent,
  type AcpAgentOptions,
  type AcpAgentTurn,
  acpProfiles,
  memorySessionStore,
  serveAcp,
  type SessionUpdate,
} from "../src/index.js";
import { officialPair } from "./official-pair.js";
import { RawPeer } from "../../peer/test/raw-peer.js";
import { soon } from "../../../scripts/testing/soon.js";

const cwd = "/project";

/** A raw client in a session, and the turns of its agent, which last until the test ends them. */
async function serve(whenBusy: AcpAgent["whenBusy"], more: Partial<AcpAgent> = {}, options: AcpAgentOptions = {}) {
  const [left, right] = memoryPair();
  const turns: HeldTurn[] = [];
  let started = (): void => {};
  const agent: AcpAgent = {
    whenBusy,
    prompt: (turn) =>
      new Promise((resolve, reject) => {
        turns.push({ turn, end: () => resolve(), fail: reject });
        turn.signal.addEventListener("abort", () => reject(turn.signal.reason as Error));
        started();
      }),
    ...more,
  };
  serveAcp(left, agent, { profile: acpProfiles.v1, ...options });
  const client = new RawPeer(right);
  await client.call("initialize", { protocolVersion: 1 });
  const { result } = await client.call("session/new", { cwd, mcpServers: [] });
  const { sessionId } = result as { sessionId: string };
  return {
    client,
    sessionId,
    turns,
    prompt: (text: string) =>
      soon(
        `the answer to the prompt ${text}`,
        client.call("session/prompt", { sessionId, prompt: [{ type: "text", text }] }).then(({ result, error }) => ({
          ...(result as { stopReason?: string } | undefined),
          ...(error === undefined ? {} : { code: error.code }),
        })),
      ),
    /** The turn of this number, when it has started. */
    async turn(number: number): Promise<HeldTurn> {
      while (turns.length < number) await soon(`turn ${number}`, new Promise<void>((resolve) => (started = resolve)));
      return turns[number - 1] as HeldTurn;
    },
    /** Waits until everything that was sent has been handled. */
    settle: () => client.call("session/set_mode", { sessionId, modeId: "none" }),
  };
}

interface HeldTurn {
  readonly turn: AcpAgentTurn;
  end(): void;
  fail(error: Error): void;
}

function cancelRequest(client: RawPeer, requestId: unknown): void {
  client.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
}

const cancelled = { stopReason: "cancelled" };
const ended = { stopReason: "end_turn" };

describe("V32, P13: a prompt while a turn runs", () => {
  it("is refused with -32600 by default, and the turn goes on", async () => {
    const { prompt, turn } = await serve(undefined);
    const first = prompt("1");
    const { end } = await turn(1);
    expect(await prompt("2")).toEqual({ code: -32600 });
    end();
    expect(await first).toEqual(ended);
  });

  it("waits for its own turn with queue, in the order of arrival", async () => {
    const { prompt, turn, turns } = await serve("queue");
    const answers = ["1", "2", "3"].map((text) => prompt(text));
    for (let number = 1; number <= 3; number++) {
      const running = await turn(number);
      expect(turns).toHaveLength(number);
      expect(running.turn.promptText).toBe(String(number));
      expect(running.turn.takeSteers()).toEqual([]);
      running.end();
      expect(await answers[number - 1]).toEqual(ended);
    }
  });

  it("is refused when too many wait", async () => {
    const { prompt, turn, client, sessionId } = await serve("queue", {}, { maxQueuedPrompts: 1 });
    const first = prompt("1");
    await turn(1);
    const second = prompt("2");
    expect(await prompt("3")).toEqual({ code: -32600 });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect(await Promise.all([first, second])).toEqual([cancelled, cancelled]);
  });

  it("V09: is cancelled with the session, each with an answer of its own, and the next prompt runs", async () => {
    const { prompt, turn, client, sessionId } = await serve("queue");
    const answers = ["1", "2", "3"].map((text) => prompt(text));
    await turn(1);
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect(await Promise.all(answers)).toEqual([cancelled, cancelled, cancelled]);
    const next = prompt("4");
    const running = await turn(2);
    expect(running.turn.promptText).toBe("4");
    running.end();
    expect(await next).toEqual(ended);
  });

  it("V26: is cancelled alone by $/cancel_request", async () => {
    const { turn, client, sessionId, turns } = await serve("queue");
    const send = (id: string): void =>
      client.send({
        jsonrpc: "2.0",
        id,
        method: "session/prompt",
        params: { sessionId, prompt: [{ type: "text", text: id }] },
      });
    for (const id of ["a", "b", "c"]) send(id);
    const first = await turn(1);
    cancelRequest(client, "b");
    expect(
      (
        await soon(
          "an answer",
          client.until(({ id }) => id === "b"),
        )
      ).result,
    ).toEqual(cancelled);
    expect(turns).toHaveLength(1);
    first.end();
    const second = await turn(2);
    expect(second.turn.promptText).toBe("c");
    second.end();
    expect((await client.until(({ id }) => id === "c")).result).toEqual(ended);
  });

  it("steers the turn that takes it, and is answered when that turn ends, after its own prompt", async () => {
    const { prompt, turn, turns, client, settle } = await serve("steer", {
      sessions: memorySessionStore<SessionUpdate>(),
    });
    const first = prompt("1");
    const running = await turn(1);
    const others = [prompt("2"), prompt("3")];
    await settle();
    expect(running.turn.takeSteers().map(({ promptText }) => promptText)).toEqual(["2", "3"]);
    expect(running.turn.takeSteers()).toEqual([]);
    const said = await running.turn.session.history();
    expect(said.map((update) => (update as { content: { text: string } }).content.text)).toEqual(["1", "2", "3"]);
    running.end();
    expect(await Promise.all([first, ...others])).toEqual([ended, ended, ended]);
    expect(turns).toHaveLength(1);
    const ids = client.received.flatMap(({ id, result }) => (result !== undefined && id !== undefined ? [id] : []));
    expect(ids.slice(-3)).toEqual([...ids.slice(-3)].sort());
  });

  it("gets a turn of its own when no turn takes it, and fails with the turn that took it", async () => {
    const { prompt, turn, settle } = await serve("steer");
    const first = prompt("1");
    const running = await turn(1);
    const taken = prompt("2");
    await settle();
    running.turn.takeSteers();
    const left = prompt("3");
    await settle();
    running.fail(new Error("the model is out of reach"));
    expect(await Promise.all([first, taken])).toEqual([{ code: -32603 }, { code: -32603 }]);
    const next = await turn(2);
    expect(next.turn.promptText).toBe("3");
    next.end();
    expect(await left).toEqual(ended);
  });

  it("is cancelled with the turn that took it", async () => {
    const { prompt, turn, client, sessionId, settle } = await serve("steer");
    const first = prompt("1");
    const running = await turn(1);
    const taken = prompt("2");
    await settle();
    running.turn.takeSteers();
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId } });
    expect(await Promise.all([first, taken])).toEqual([cancelled, cancelled]);
  });

  it("of the official SDK's client is queued, while another session runs its turn (V31)", async () => {
    const { official, ours } = officialPair();
    const order: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    serveAcp(ours, {
      whenBusy: "queue",
      async prompt(turn) {
        order.push(turn.promptText);
        if (turn.promptText === "1") await held;
      },
    });
    const { agent } = officialClient({ name: "official" }).connect(official);
    await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
    const open = () => agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    const ask = (sessionId: string, text: string) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    const [a, b] = [await open(), await open()];
    const [first, second] = [ask(a.sessionId, "1"), ask(a.sessionId, "2")];
    expect(await soon("the turn of the other session", ask(b.sessionId, "other"))).toEqual(ended);
    expect(order).toEqual(["1", "other"]);
    release();
    expect(await Promise.all([first, second])).toEqual([ended, ended]);
    expect(order).toEqual(["1", "other", "2"]);
  });
});
