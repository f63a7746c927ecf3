import { readdirSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import examples from "@editwire/acp-schema/fixtures.json" with { type: "json" };
import { acp, type AcpParams, acpProfiles, isPromptInProgress, isSessionNotFound } from "@editwire/acp-schema";
import { connect, type Handlers, isRemoteError, isWireError, methodOf, type ProfileFinder } from "@editwire/core";
import { ndjson } from "@editwire/framing";
import { jsonRpcPeer } from "@editwire/peer";
import { memoryPair } from "@editwire/transport";
import { nodeStreamTransport } from "@editwire/transport/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { mergeToolCall, readUpdate } from "../src/client/events.js";
import { AcpDialect } from "../src/shared/dialect.js";
import { acpHandler } from "../src/node.js";
import { outcomeOf, type PermissionOption, serveAcp } from "../src/index.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

/** Where the two dialects differ, or could: what each writes, and what is read from either. */
interface Conflict {
  readonly conflict: string;
  readonly about: string;
  readonly cases: readonly (MessageCase | ErrorCase | BytesCase | HttpCase)[];
}

const dialects = ["spec", "v1"] as const;
type Dialect = (typeof dialects)[number];

interface MessageCase extends Record<Dialect, { wire: unknown; writes?: unknown; refused?: string; error?: number }> {
  readonly method: string;
  readonly part?: "params" | "result";
  /** The value to write. */
  readonly model: unknown;
  /** The value that is read; default: the model. */
  readonly reads?: unknown;
  /** The event that a turn yields. */
  readonly event?: object;
  /** The ids that answers choose by their kind. */
  readonly chosen?: Record<"allow_once" | "reject_once", string>;
  readonly traits?: Record<Dialect, object>;
}

/** An error that a predicate recognizes in both dialects, and that our agent answers in its own. */
interface ErrorCase extends Record<Dialect, { wire: object; code: number }> {
  readonly error: keyof typeof predicates;
  readonly answer: keyof typeof provocations;
}

interface BytesCase extends Record<Dialect, { answer?: { id: null; code: number } }> {
  readonly bytes: string;
}

interface HttpCase extends Record<Dialect, { path: string; status: number; connection: boolean; other: number }> {
  readonly http: object;
}

const folder = new URL("fixtures/conflicts/", import.meta.url);
const conflicts = readdirSync(folder)
  .sort()
  .map((file) => JSON.parse(readFileSync(fileURLToPath(new URL(file, folder)), "utf8")) as Conflict);

const roles = { client: "agent", agent: "client" } as const;
const valid = examples as unknown as Record<string, { params: unknown }>;
const paramsFor = (method: string): unknown => [valid[method]?.params].flat()[0];

/** The two ends of one connection: the raw wire, and ours in the role that sends or receives a message. */
function open(self: "client" | "agent", profile: Dialect | ProfileFinder, handlers: object) {
  const [here, there] = memoryPair();
  const options = { profile: typeof profile === "string" ? acpProfiles[profile] : profile };
  const ours = connect(acp, self, jsonRpcPeer(here), handlers as Handlers<typeof acp, typeof self>, options);
  const raw = new RawPeer(there);
  onTestFinished(() => ours.close());
  const ask = async (method: string, params: unknown): Promise<unknown> =>
    methodOf(acp, method)?.kind === "request"
      ? ours.request(method as never, params as never)
      : ours.notify(method as never, params as never);
  return { raw, ask };
}

function senderOf(method: string): "client" | "agent" {
  return methodOf(acp, method)?.from as "client" | "agent";
}

/** The value that our side reads, or the code and the message of its refusal. */
async function read(profile: Dialect | ProfileFinder, { method, part }: MessageCase, wire: unknown): Promise<unknown> {
  if (part === "result") {
    const { raw, ask } = open(senderOf(method), profile, {});
    const value = ask(method, paramsFor(method));
    const { id } = await raw.take(method);
    raw.send({ jsonrpc: "2.0", id, result: wire });
    return value;
  }
  return new Promise((resolve) => {
    const { raw } = open(roles[senderOf(method)], profile, { [method]: resolve });
    if (methodOf(acp, method)?.kind === "request") void raw.call(method, wire).then(({ error }) => resolve(error));
    else raw.send({ jsonrpc: "2.0", method, params: wire });
  });
}

/** The message that our side writes, or the text of its refusal. */
async function write(profile: Dialect, { method, part, model }: MessageCase): Promise<unknown> {
  if (part === "result") {
    const { raw } = open(roles[senderOf(method)], profile, { [method]: () => model });
    const { result, error } = await raw.call(method, paramsFor(method));
    return error === undefined ? result : { refused: String(error.code) };
  }
  const { raw, ask } = open(senderOf(method), profile, {});
  const refused = new Promise((resolve) => {
    ask(method, model).catch((error: unknown) => {
      if (isWireError(error, "invalid_params")) resolve({ refused: error.message });
    });
  });
  return Promise.race([raw.take(method).then(({ params }) => params), refused]);
}

async function checkMessage(one: MessageCase, dialect: Dialect): Promise<void> {
  const { wire, writes = wire, refused, error } = one[dialect];
  const { reads = one.model } = one;
  const self = one.part === "result" ? senderOf(one.method) : roles[senderOf(one.method)];
  for (const reader of [...dialects, new AcpDialect(self)]) {
    const value = await read(reader, one, wire);
    if (error === undefined) expect(value).toEqual(reads);
    else expect(value).toMatchObject({ code: error, message: expect.stringContaining(refused ?? "") });
    if (one.event !== undefined) {
      const event = readUpdate((value as AcpParams<"session/update">).update, (update) =>
        mergeToolCall(undefined, update),
      );
      expect(event).toMatchObject(one.event);
    }
    for (const [kind, optionId] of Object.entries(one.chosen ?? {})) {
      const { options } = value as { options: PermissionOption[] };
      expect(outcomeOf(kind as "allow_once", options)).toEqual({ outcome: "selected", optionId });
    }
  }
  const written = await write(dialect, one);
  expect(written).toEqual(refused === undefined ? writes : { refused: expect.stringContaining(refused) });
  expect(acpProfiles[dialect].traits).toMatchObject(one.traits?.[dialect] ?? {});
}

const predicates = { isPromptInProgress, isSessionNotFound, isRemoteError };

/** Makes our agent answer an error. */
const provocations = {
  async "second prompt"(raw: RawPeer) {
    const { result } = await raw.call("session/new", { cwd: "/tmp", mcpServers: [] });
    const params = { sessionId: (result as { sessionId: string }).sessionId, prompt: [{ type: "text", text: "a" }] };
    raw.send({ jsonrpc: "2.0", id: "first", method: "session/prompt", params });
    return raw.call("session/prompt", params);
  },
  "unknown session": (raw: RawPeer) => raw.call("session/prompt", { sessionId: "x", prompt: [] }),
  "refused MCP servers": (raw: RawPeer) =>
    raw.call("session/new", { cwd: "/tmp", mcpServers: [{ type: "sse", name: "s", url: "http://a", headers: [] }] }),
};

async function checkError({ error, answer, ...one }: ErrorCase, dialect: Dialect): Promise<void> {
  const { raw, ask } = open("client", dialect, {});
  const asked = ask("session/prompt", paramsFor("session/prompt")).catch((reason: unknown) => reason);
  const { id } = await raw.take("session/prompt");
  raw.send({ jsonrpc: "2.0", id, error: one[dialect].wire });
  expect(predicates[error](await asked)).toBe(true);

  const [here, there] = memoryPair();
  const agent = serveAcp(there, { prompt: () => new Promise(() => {}) }, { profile: acpProfiles[dialect] });
  onTestFinished(() => agent.close());
  expect(await provocations[answer](new RawPeer(here))).toMatchObject({ error: { code: one[dialect].code } });
}

async function checkBytes({ bytes, ...one }: BytesCase, dialect: Dialect): Promise<void> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const agent = serveAcp(
    nodeStreamTransport(input, output, ndjson()),
    { prompt: async () => "end_turn" },
    { profile: acpProfiles[dialect] },
  );
  onTestFinished(() => agent.close());
  const raw = new RawPeer(nodeStreamTransport(output, new PassThrough(), ndjson()));
  input.write(`${bytes}\n{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":1}}\n`);
  expect(await raw.until(({ id }) => id === 7)).toMatchObject({ result: { protocolVersion: 1 } });
  const before = raw.received.slice(0, -1).map(({ id, error }) => ({ id, code: error?.code }));
  const { answer } = one[dialect];
  expect(before).toEqual(answer === undefined ? [] : [answer]);
}

async function checkHttp(one: HttpCase, dialect: Dialect): Promise<void> {
  const agent = { prompt: async () => "end_turn" as const };
  const handlers = { spec: acpHandler(agent, { paths: "spec" }), v1: acpHandler(agent) };
  onTestFinished(async () => void (await Promise.all(Object.values(handlers).map((handler) => handler.close()))));
  const ask = (path: string): Promise<Response> =>
    handlers[dialect].fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: "POST",
        headers: {
          host: "127.0.0.1",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(one.http),
      }),
    );
  const answer = await ask(one[dialect].path);
  expect([answer.status, answer.headers.has("acp-connection-id")]).toEqual([
    one[dialect].status,
    one[dialect].connection,
  ]);
  const other = dialects.find((name) => name !== dialect) ?? dialect;
  expect((await ask(one[other].path)).status).toBe(one[dialect].other);
}

it("there is a fixture of each of the 26 conflicts", () => {
  expect(conflicts.map(({ conflict }) => conflict)).toEqual(Array.from({ length: 26 }, (_, i) => `C${i + 1}`));
});

describe.each(conflicts)("$conflict: $about", ({ cases }) => {
  it.each(dialects)("from and to %s", async (dialect) => {
    expect(cases.length).toBeGreaterThan(0);
    for (const one of cases) {
      if ("method" in one) await checkMessage(one, dialect);
      else if ("error" in one) await checkError(one, dialect);
      else if ("bytes" in one) await checkBytes(one, dialect);
      else await checkHttp(one, dialect);
    }
  });
});
