// Behavior of this package that the official SDK 2.4.0 lacks: each probe runs on both.
import { readFileSync } from "node:fs";
import { agent, client } from "@agentclientprotocol/sdk";
import { acp, type AcpParams, acpProfiles, isSessionNotFound } from "@editwire/acp-schema";
import { connect, type Handlers } from "@editwire/core";
import { jsonRpcPeer } from "@editwire/peer";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AcpClientOptions, connectAcp, isWireError, permissionPolicy, serveAcp } from "../src/index.js";
import { officialPair } from "./official-pair.js";
import { RawPeer } from "../../peer/test/raw-peer.js";
import { soon } from "../../../scripts/testing/soon.js";

type Notify = (params: AcpParams<"session/update">) => unknown;
interface Asking {
  readonly raw: RawPeer;
  request(method: string, params: unknown): Promise<unknown>;
}

/** The client side of each library at the level of methods; the other end is the raw wire. */
const clients: Readonly<Record<"official" | "ours", (onUpdate?: Notify) => Asking>> = {
  official(onUpdate = () => {}) {
    const { official, ours } = officialPair();
    const connection = client({ name: "probe" })
      .onNotification("session/update", ({ params }) => onUpdate(params as never) as Promise<void>)
      .connect(official);
    onTestFinished(() => connection.close());
    return {
      raw: new RawPeer(ours),
      request: (method, params) => connection.agent.request(method as never, params as never),
    };
  },
  ours(onUpdate = () => {}) {
    const [here, there] = memoryPair();
    const handlers = { "session/update": onUpdate } as unknown as Handlers<typeof acp, "client">;
    const connection = connect(acp, "client", jsonRpcPeer(here), handlers, { profile: acpProfiles.v1 });
    onTestFinished(() => connection.close());
    return {
      raw: new RawPeer(there),
      request: (method, params) => connection.request(method as never, params as never),
    };
  },
};

const update = (text: string, sessionUpdate = "agent_message_chunk"): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s1", update: { sessionUpdate, content: { type: "text", text } } },
});
const newSession = ["session/new", { cwd: "/work", mcpServers: [] }] as const;
const prompt = { sessionId: "s1", prompt: [{ type: "text", text: "go" }] };

/** Whether a promise has settled, after what was sent before has been answered. */
async function settles(promise: Promise<unknown>, { raw, request }: Asking): Promise<boolean> {
  let isSettled = false;
  promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  const fence = request(...newSession);
  raw.send({ jsonrpc: "2.0", id: (await raw.take("session/new")).id, result: { sessionId: "fence" } });
  await fence;
  return isSettled;
}

describe("P2: the handlers of updates", () => {
  it.each([
    ["official", 5, true],
    ["ours", 1, false],
  ] as const)(
    "of the library %s run %i at a time; the prompt resolves before they end: %s",
    async (side, atOnce, resolves) => {
      const begun: string[] = [];
      let open = (): void => {};
      const gate = new Promise<void>((resolve) => (open = resolve));
      const asking = clients[side](async ({ update: { content } }) => {
        begun.push((content as { text: string }).text);
        await gate;
      });
      let isResolved = false;
      const answer = asking.request("session/prompt", prompt).then(() => (isResolved = true));
      const { id } = await asking.raw.take("session/prompt");
      for (const text of ["0", "1", "2", "3", "4"]) asking.raw.send(update(text));
      asking.raw.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
      await asking.raw.call("_acme/fence", {}); // it belongs to no session
      expect([begun.length, isResolved]).toEqual([atOnce, resolves]);
      open();
      await answer;
      expect(begun).toEqual(["0", "1", "2", "3", "4"]);
    },
  );
});

describe("P4: a handler that does not return", () => {
  it.each([
    ["official", 100],
    ["ours", 1],
  ] as const)("of the library %s is called for %i of 100 updates of its session", async (side, count) => {
    let started = 0;
    const { raw } = clients[side](() => {
      started += 1;
      return new Promise(() => {});
    });
    for (let i = 0; i < 100; i += 1) raw.send(update(String(i)));
    // Neither library holds up what belongs to no session.
    expect(await raw.call("_acme/fence", {})).toMatchObject({ error: { code: -32601 } });
    expect(started).toBe(count);
  });
});

describe('P8: a peer that answers the request 0 with the id "0"', () => {
  it.each([
    ["official", false],
    ["ours", true],
  ] as const)("of the library %s: the call settles: %s", async (side, isSettled) => {
    const asking = clients[side]();
    const answer = asking.request("session/prompt", prompt);
    const { id } = await asking.raw.take("session/prompt");
    asking.raw.send({ jsonrpc: "2.0", id: String(id), result: { stopReason: "end_turn" } });
    expect(await settles(answer, asking)).toBe(isSettled);
  });
});

describe("P9: an update of an unknown kind", () => {
  it.each([
    ["official", ["known"]],
    ["ours", ["future_variant", "_acme/x", "known"]],
  ] as const)("reaches the library %s: %j", async (side, kinds) => {
    const received: string[] = [];
    const asking = clients[side](({ update: { sessionUpdate, content } }) => {
      received.push(sessionUpdate === "agent_message_chunk" ? (content as { text: string }).text : sessionUpdate);
    });
    for (const kind of ["future_variant", "_acme/x"]) asking.raw.send(update("", kind));
    asking.raw.send(update("known"));
    await expect.poll(() => received.at(-1)).toBe("known");
    expect(received).toEqual(kinds);
  });
});

describe("a message that does not fit the protocol", () => {
  it.each([
    ["official", 42],
    ["ours", "invalid_result"],
  ] as const)("as a result, in the library %s: %s", async (side, outcome) => {
    const asking = clients[side]();
    const answer = asking.request(...newSession).catch(({ code }: { code: unknown }) => code);
    asking.raw.send({ jsonrpc: "2.0", id: (await asking.raw.take("session/new")).id, result: 42 });
    expect(await answer).toBe(outcome);
  });

  it.each([
    ["official", "sent"],
    ["ours", "invalid_params"],
  ] as const)("as params, in the library %s: %s", async (side, outcome) => {
    const asking = clients[side]();
    const refused = asking
      .request("session/prompt", { sessionId: "s1", prompt: "go" })
      .catch((error: unknown) => error);
    const sent = asking.raw.take("session/prompt").then(() => "sent");
    expect(await Promise.race([sent, refused.then((error) => (error as { code: unknown }).code)])).toBe(outcome);
  });

  it.each([
    ["official", undefined],
    ["ours", "kept"],
  ] as const)("a field that the schema lacks, in the library %s: %s", async (side, kept) => {
    const seen: unknown[] = [];
    const { raw } = clients[side](({ update: { content } }) => void seen.push((content as { acme?: unknown }).acme));
    raw.send({
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "s1",
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "", acme: "kept" } },
      },
    });
    await expect.poll(() => seen).toEqual([kept]);
  });
});

/** The agent side of each library, whose prompt is `turn`; the other end is the raw wire. */
const agents: Readonly<Record<"official" | "ours", (turn: () => Promise<unknown>) => RawPeer>> = {
  official(turn) {
    const { official, ours } = officialPair();
    agent({ name: "probe" })
      .onRequest("initialize", () => ({ protocolVersion: 1 }))
      .onRequest("session/new", () => ({ sessionId: "s1" }))
      .onRequest("session/prompt", turn as never)
      .connect(official);
    return new RawPeer(ours);
  },
  ours(turn) {
    const [here, there] = memoryPair();
    const serving = serveAcp(here, { prompt: turn as never }, { onError: () => {} });
    onTestFinished(() => serving.close());
    return new RawPeer(there);
  },
};

/** Opens a session and prompts. */
async function promptOf(raw: RawPeer): Promise<Awaited<ReturnType<RawPeer["call"]>>> {
  await raw.call("initialize", { protocolVersion: 1 });
  const { result } = await raw.call(...newSession);
  return raw.call("session/prompt", { ...prompt, sessionId: (result as { sessionId: string }).sessionId });
}

describe("P7: what a handler throws by accident", () => {
  it.each([
    ["official", true],
    ["ours", false],
  ] as const)("reaches the peer of the library %s with its text: %s", async (side, isLeaked) => {
    const { error } = await promptOf(agents[side](() => Promise.reject(new Error("password hunter2"))));
    expect(error?.code).toBe(-32603);
    expect(JSON.stringify(error).includes("hunter2")).toBe(isLeaked);
  });

  it.each([
    ["official", "closed"],
    ["ours", "answered"],
  ] as const)("a result that is not JSON: the connection of the library %s is %s", async (side, outcome) => {
    const raw = agents[side](async () => ({ stopReason: "end_turn", _meta: { tokens: 1n } }));
    const answered = promptOf(raw).then(
      ({ error }) => (error?.code === -32603 ? "answered" : "wrong"),
      () => "closed",
    );
    expect(await Promise.race([answered, raw.closed.then(() => "closed")])).toBe(outcome);
  });
});

describe("P6, V38: a permission request that is open when the turn is cancelled", () => {
  it("stays open in the official client, and is answered cancelled by ours", async () => {
    const ask = (raw: RawPeer): void =>
      raw.send({
        jsonrpc: "2.0",
        id: "ask",
        method: "session/request_permission",
        params: { sessionId: "s1", toolCall: { toolCallId: "c" }, options: [] },
      });
    const { official, ours } = officialPair();
    const connection = client({ name: "probe" })
      .onRequest("session/request_permission", () => new Promise<never>(() => {}))
      .connect(official);
    onTestFinished(() => connection.close());
    const raw = new RawPeer(ours);
    ask(raw);
    await connection.agent.notify("session/cancel", { sessionId: "s1" });
    const asking: Asking = {
      raw,
      request: (method, params) => connection.agent.request(method as never, params as never),
    };
    await raw.take("session/cancel");
    await settles(Promise.resolve(), asking);
    expect(raw.received.filter(({ id }) => id === "ask")).toEqual([]);

    const { session, raw: other } = await openOurs({ permission: () => new Promise(() => {}) });
    const turn = session.prompt("go");
    await other.take("session/prompt");
    ask(other);
    await turn.cancel();
    expect(
      await soon(
        "an answer",
        other.until(({ id }) => id === "ask"),
      ),
    ).toMatchObject({
      result: { outcome: { outcome: "cancelled" } },
    });
  });
});

/** Our client with a session, at the raw wire. */
async function openOurs(options: AcpClientOptions = {}, result: object = { protocolVersion: 1 }) {
  const [here, there] = memoryPair();
  const raw = new RawPeer(there);
  const connecting = connectAcp(here, options);
  raw.send({ jsonrpc: "2.0", id: (await raw.take("initialize")).id, result });
  const connected = await connecting;
  onTestFinished(() => connected.close());
  const opening = connected.newSession({ cwd: "/work" });
  raw.send({ jsonrpc: "2.0", id: (await raw.take("session/new")).id, result: { sessionId: "s1" } });
  return { client: connected, session: await opening, raw };
}

describe("what the agent did not declare", () => {
  it("is sent by the official client, and refused with the capability by ours", async () => {
    const { raw, request } = clients.official();
    void request("session/list", {}).catch(() => {});
    expect(await raw.take("session/list")).toMatchObject({ method: "session/list" });

    const { client: ours } = await openOurs();
    const refused = await ours.listSessions().catch((error: unknown) => error);
    expect(isWireError(refused, "invalid_params")).toBe(true);
    expect(String(refused)).toContain("sessionCapabilities.list");
  });
});

describe("P16: what goes over the wire", () => {
  it("is shown by onWire, with diagnostics of what was repaired", async () => {
    const wire: string[] = [];
    const diagnostics: string[] = [];
    const { session, raw } = await openOurs({
      onWire: (direction, message) => void wire.push(`${direction} ${JSON.stringify(message)}`),
      onDiagnostic: ({ id }) => void diagnostics.push(id),
    });
    const turn = session.prompt("go");
    const { id } = await raw.take("session/prompt");
    raw.send({ jsonrpc: "2.0", id, result: { stopReason: "" } });
    expect(await turn.stopReason).toBe("end_turn");
    expect(wire.some((line) => line.startsWith("out") && line.includes('"method":"session/prompt"'))).toBe(true);
    expect(wire.some((line) => line.startsWith("in") && line.includes('"stopReason":""'))).toBe(true);
    expect(diagnostics).toContain("D16");
  });
});

describe("P12, P19: helpers that only this package has", () => {
  it("recognize an unknown session in the forms of many agents, and answer permissions by rules", async () => {
    const { session, raw } = await openOurs({ permission: permissionPolicy({ kinds: { read: "allow_once" } }) });
    const turn = session.prompt("go");
    const { id } = await raw.take("session/prompt");
    const answer = raw.call("session/request_permission", {
      sessionId: "s1",
      toolCall: { toolCallId: "c", title: "Read", kind: "read" },
      options: [
        { optionId: "no", name: "No", kind: "reject_once" },
        { optionId: "yes", name: "Yes", kind: "allow_once" },
      ],
    });
    expect((await answer).result).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
    raw.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "Internal error", data: "Session not found: s1" } });
    expect(isSessionNotFound(await turn.stopReason.catch((error: unknown) => error))).toBe(true);
  });
});

describe("P11: schemas and zod", () => {
  it("zod is a dependency of what uses it and of nothing else's choice", () => {
    for (const name of ["core", "acp-schema"]) {
      const manifest = JSON.parse(readFileSync(new URL(`../../${name}/package.json`, import.meta.url), "utf8")) as {
        dependencies?: object;
        peerDependencies?: object;
      };
      expect(manifest.dependencies).toHaveProperty("zod");
      expect(manifest.peerDependencies ?? {}).not.toHaveProperty("zod");
    }
  });
});
