import {
  connect,
  type ConnectOptions,
  defineProtocol,
  type Diagnostic,
  type Handlers,
  isRemoteError,
  notification,
  type Profile,
  RemoteError,
  request,
  WireError,
} from "@editwire/core";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { type Notes, notes } from "./support/note-protocol.js";
import { context, peerDouble } from "./support/peer-double.js";

type ServerHandlers = Handlers<Notes, "server">;

function client(
  answer?: (method: string, params: unknown) => unknown,
  options: ConnectOptions = {},
  handlers: Partial<Handlers<Notes, "client">> = {},
) {
  const peer = peerDouble(answer);
  const connection = connect(
    notes,
    "client",
    peer,
    { "note/ask": () => ({ text: "a" }), ping: () => ({}), ...handlers },
    options,
  );
  return { peer, connection };
}

function server(handlers: Partial<ServerHandlers> = {}, options: ConnectOptions = {}) {
  const peer = peerDouble();
  const connection = connect(
    notes,
    "server",
    peer,
    { "note/add": () => ({ id: "1" }), ping: () => ({}), ...handlers },
    options,
  );
  return { peer, connection };
}

describe("what we send", () => {
  test("a request goes out as it is and gives its result", async () => {
    const { peer, connection } = client(() => ({ id: "n-1", extra: true }));
    const options = { timeoutMs: 5 };
    expect(await connection.request("note/add", { text: "a", own: 1 }, options)).toEqual({ id: "n-1", extra: true });
    expect(peer.sent).toEqual([{ method: "note/add", params: { text: "a", own: 1 }, options }]);
  });

  test("params that do not fit are an error before a byte leaves", async () => {
    const { peer, connection } = client();
    await expect(connection.request("note/add", { text: 1 } as never)).rejects.toMatchObject({
      name: "WireError",
      code: "invalid_params",
      message: "note/add: params.text: expected string, received number",
      data: [{ path: "params.text", message: "expected string, received number" }],
    });
    expect(() => connection.notify("note/seen", {} as never)).toThrow("note/seen: params.id: expected string");
    expect(peer.sent).toEqual([]);
  });

  test.each([new RemoteError(-32000, "no key"), new WireError("closed", "note/add: the process died")])(
    "the trace of %s leads to the line that asked",
    async (failure) => {
      const { connection } = client(() => new Promise((_resolve, reject) => setImmediate(() => reject(failure))));
      async function askedHere(): Promise<void> {
        await connection.request("note/add", { text: "a" });
      }
      const error = await askedHere().catch((thrown: unknown) => thrown);
      expect(error).toBe(failure);
      expect(failure.stack).toMatch(new RegExp(`^${failure.name}: ${failure.message}\n`));
      expect(failure.stack).toMatch(/ askedHere \(/);
    },
  );

  test("a result that does not fit is ours to report", async () => {
    const { connection } = client(() => ({ id: 7 }));
    await expect(connection.request("note/add", { text: "a" })).rejects.toMatchObject({
      code: "invalid_result",
      message: "note/add: result.id: expected string, received number",
    });
  });

  test.each([null, undefined])("a result of %s is an empty one", async (result) => {
    const { connection } = client(() => result);
    expect(await connection.request("note/share", { id: "1" })).toEqual({});
  });

  test("the peer's error is the caller's", async () => {
    const { connection } = client(() => {
      throw new RemoteError(-32000, "no");
    });
    await expect(connection.request("note/add", { text: "a" })).rejects.toMatchObject({ code: -32000 });
  });

  test.each([
    ["a method of the other role", "note/ask"],
    ["a notification", "note/seen"],
    ["no method", "note/none"],
    ["a name that objects inherit", "constructor"],
  ])("%s cannot be requested", async (_, method) => {
    const { connection } = client();
    await expect(connection.request(method as never, {} as never)).rejects.toMatchObject({
      code: "invalid_params",
      message: `${method}: not a request that the client of notes sends`,
    });
  });

  test("a request cannot be notified, and methods of both roles go both ways", async () => {
    const { peer, connection } = client();
    expect(() => connection.notify("note/add" as never, { text: "a" } as never)).toThrow(
      "not a notification that the client of notes sends",
    );
    connection.notify("log", {});
    await connection.request("ping", {});
    expect(peer.sent.map(({ method }) => method)).toEqual(["log", "ping"]);
  });

  test("a slow peer's promise reaches who notifies", async () => {
    const { peer, connection } = client();
    const drained = Promise.resolve();
    peer.notify = () => drained;
    expect(connection.notify("log", {})).toBe(drained);
  });
});

describe("what we receive", () => {
  test("a request is validated, handled and answered", async () => {
    const add = vi.fn<ServerHandlers["note/add"]>(() => ({ id: "n-1" }));
    const { peer } = server({ "note/add": add });
    expect(await peer.handler.request("note/add", { text: "a", extra: 1 }, context)).toEqual({ id: "n-1" });
    expect(add).toHaveBeenCalledWith({ text: "a", extra: 1 }, context);
  });

  test("params that do not fit are answered -32602 with the places", async () => {
    const add = vi.fn<ServerHandlers["note/add"]>();
    const { peer } = server({ "note/add": add });
    for (const params of [{ text: 1 }, null, undefined, [], "x"]) {
      const error: unknown = await Promise.resolve(peer.handler.request("note/add", params, context)).catch(
        (reason: unknown) => reason,
      );
      expect(isRemoteError(error, -32602)).toBe(true);
    }
    await expect(peer.handler.request("note/add", { text: 1 }, context)).rejects.toMatchObject({
      data: [{ path: "params.text", message: "expected string, received number" }],
    });
    expect(add).not.toHaveBeenCalled();
  });

  test("missing params are empty ones", async () => {
    const { peer } = server();
    expect(await peer.handler.request("ping", undefined, context)).toEqual({});
  });

  test.each(["note/none", "note/share", "note/ask", "note/seen", "constructor", "__proto__"])(
    "%s is not handled here: -32601",
    async (method) => {
      const { peer } = server();
      await expect(peer.handler.request(method, { id: "1" }, context)).rejects.toMatchObject({
        code: -32601,
        data: { method },
      });
    },
  );

  test("an optional request may be handled, and a handler may be undefined", async () => {
    const { peer } = server({ "note/share": () => ({ ok: true }) });
    expect(await peer.handler.request("note/share", { id: "1" }, context)).toEqual({ ok: true });
    const without = server({ "note/share": undefined });
    await expect(without.peer.handler.request("note/share", { id: "1" }, context)).rejects.toMatchObject({
      code: -32601,
    });
  });

  test("a handler's result that does not fit is a bug here, not the peer's", async () => {
    const { peer } = server({ "note/add": () => ({ id: 1 }) as never });
    await expect(peer.handler.request("note/add", { text: "a" }, context)).rejects.toMatchObject({
      name: "WireError",
      code: "invalid_result",
    });
  });

  test("what a handler throws goes on as it is", async () => {
    const bug = new Error("bug");
    const invalid = new WireError("invalid_params", "of a call that the handler made");
    for (const thrown of [bug, invalid, RemoteError.invalidRequest("busy")]) {
      const { peer } = server({ "note/add": () => Promise.reject(thrown) });
      await expect(peer.handler.request("note/add", { text: "a" }, context)).rejects.toBe(thrown);
    }
  });

  test("a notification reaches its handler, whose promise reaches the engine", () => {
    const handled = Promise.resolve();
    const seen = vi.fn<NonNullable<ServerHandlers["note/seen"]>>(() => handled);
    const { peer } = server({ "note/seen": seen });
    expect(peer.handler.notification("note/seen", { id: "1" }, context)).toBe(handled);
    expect(seen).toHaveBeenCalledWith({ id: "1" }, context);
  });

  test("a notification that nobody handles, that is a request, or of this role is ignored", () => {
    const { peer } = server({ log: () => {} });
    for (const method of ["note/seen", "note/add", "note/changed", "note/none"])
      expect(peer.handler.notification(method, {}, context)).toBeUndefined();
  });

  test("a notification that does not fit is thrown to the engine", () => {
    const seen = vi.fn<NonNullable<ServerHandlers["note/seen"]>>();
    const { peer } = server({ "note/seen": seen });
    expect(() => peer.handler.notification("note/seen", {}, context)).toThrow(
      expect.objectContaining({ name: "WireError", code: "invalid_params" }),
    );
    expect(seen).not.toHaveBeenCalled();
  });

  test("messages are told apart by the session's field", () => {
    const { peer } = client();
    const { session } = peer.handler;
    expect(session?.("note/changed", { board: "b-1" })).toBe("b-1");
    for (const params of [{ board: 1 }, {}, [], null, undefined])
      expect(session?.("note/changed", params)).toBeUndefined();
  });

  test("the engine's diagnostics and errors reach the options", () => {
    const onDiagnostic = vi.fn<(diagnostic: Diagnostic) => void>();
    const onError = vi.fn<(error: unknown, method: string | undefined) => void>();
    const { peer } = client(undefined, { onDiagnostic, onError });
    const diagnostic = { id: "rpc.id-type", method: undefined, message: "x" };
    peer.handler.diagnostic?.(diagnostic);
    peer.handler.error?.("reason", "ping");
    expect(onDiagnostic).toHaveBeenCalledWith(diagnostic);
    expect(onError).toHaveBeenCalledWith("reason", "ping");
  });
});

describe("profiles", () => {
  const upper = (key: string) => (value: unknown) => ({
    ...(value as object),
    [key]: String((value as Record<string, unknown>)[key]).toUpperCase(),
  });
  const lower = (key: string) => (value: unknown) => ({
    ...(value as object),
    [key]: String((value as Record<string, unknown>)[key]).toLowerCase(),
  });
  const shouting: Profile = {
    name: "shouting",
    encode: { "note/add": { params: upper("text"), result: upper("id") } },
    decode: { "note/add": { params: lower("text"), result: lower("id") } },
    deviations: [
      {
        id: "N1",
        summary: "text as a list of words",
        seen: "an old client",
        methods: ["note/add"],
        part: "params",
        matches: (value) => Array.isArray((value as { words?: unknown }).words),
        repair(value) {
          const { words, ...others } = value as { words: string[] };
          return { ...others, text: words.join(" ") };
        },
      },
      {
        id: "N2",
        summary: "a note without stars",
        seen: "many",
        methods: ["note/add"],
        part: "params",
        matches: (value) => !Object.hasOwn(value as object, "stars"),
      },
      {
        id: "N3",
        summary: "a numeric id",
        seen: "a server",
        methods: ["note/add"],
        part: "result",
        matches: (value) => (value as { id: unknown }).id === "7",
        repair: (value) => value,
      },
    ],
  };
  const { decode: _decode, ...withoutDecode } = shouting;

  test("what we send is validated, then written in the dialect", async () => {
    const { peer, connection } = client(() => ({ id: "N-1" }), { profile: shouting });
    expect(await connection.request("note/add", { text: "a" })).toEqual({ id: "n-1" });
    expect(peer.sent[0]?.params).toEqual({ text: "A" });
  });

  test("what we receive is read from the dialect, then validated", async () => {
    const { peer } = server({ "note/add": ({ text }) => ({ id: text }) }, { profile: shouting });
    expect(await peer.handler.request("note/add", { text: "HELLO" }, context)).toEqual({ id: "HELLO" });
  });

  test("what does not fit is repaired and reported", async () => {
    const recorded: Diagnostic[] = [];
    const add = vi.fn<ServerHandlers["note/add"]>(() => ({ id: "1" }));
    const { peer } = server(
      { "note/add": add },
      { profile: withoutDecode, onDiagnostic: (diagnostic) => void recorded.push(diagnostic) },
    );
    await peer.handler.request("note/add", { words: ["a", "b"] }, context);
    expect(add).toHaveBeenCalledWith({ text: "a b" }, context);
    expect(recorded).toEqual([{ id: "N1", method: "note/add", message: "text as a list of words" }]);
  });

  test("what fits is neither repaired nor reported, whatever rows match", async () => {
    const onDiagnostic = vi.fn<(diagnostic: Diagnostic) => void>();
    const { peer } = server({}, { profile: withoutDecode, onDiagnostic });
    await peer.handler.request("note/add", { text: "a", words: ["b"] }, context);
    expect(onDiagnostic).not.toHaveBeenCalled();
  });

  test("what no row repairs is refused", async () => {
    const { peer } = server({}, { profile: withoutDecode });
    await expect(peer.handler.request("note/add", { words: "a" }, context)).rejects.toMatchObject({ code: -32602 });
  });

  test("strict mode refuses what a row matches, repaired or not, by the row's id", async () => {
    const { peer } = server({}, { profile: withoutDecode, strict: true });
    await expect(peer.handler.request("note/add", { words: ["a"] }, context)).rejects.toMatchObject({
      code: -32602,
      message: "note/add: params: N1: text as a list of words; params: N2: a note without stars",
      data: [
        { path: "params", message: "N1: text as a list of words" },
        { path: "params", message: "N2: a note without stars" },
      ],
    });
    expect(await peer.handler.request("note/add", { text: "a", stars: 3 }, context)).toEqual({ id: "1" });
    const { connection } = client(() => ({ id: "7" }), { profile: withoutDecode, strict: true });
    await expect(connection.request("note/add", { text: "a" })).rejects.toMatchObject({
      code: "invalid_result",
      message: "note/add: result: N3: a numeric id",
    });
  });
});

test("close and closed are the engine's", async () => {
  const { connection } = client();
  await connection.close();
  expect(await connection.closed).toMatchObject({ code: "closed" });
});

describe("notifications that the protocol does not have", () => {
  test("are reported once per method, and an extension's as such; known ones without a handler are not", async () => {
    const diagnostics: Diagnostic[] = [];
    const { peer } = client(undefined, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    for (const method of ["note/changed", "note/changed", "note/burned", "_acme/ping", "_acme/ping", "note/seen"])
      await peer.handler.notification(method, {}, context);
    expect(diagnostics.map(({ id, method }) => `${id} ${method}`)).toEqual([
      "unknown-notification note/burned",
      "unknown-notification _acme/ping",
      "unknown-notification note/seen",
    ]);
    expect(diagnostics[1]?.message).toContain("an extension's notification");
  });

  test("are reported for 100 methods at most", async () => {
    let count = 0;
    const { peer } = client(undefined, { onDiagnostic: () => count++ });
    for (let index = 0; index < 1_000; index++) await peer.handler.notification(`x/${index}`, {}, context);
    expect(count).toBe(100);
  });
});

describe("a fallback", () => {
  test("takes what has no handler, and nothing else", async () => {
    const calls: string[] = [];
    const diagnostics: Diagnostic[] = [];
    const { peer } = server(
      {},
      {
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
        fallback: {
          request: (method, params) => void calls.push(`request ${method} ${JSON.stringify(params)}`),
          notification: (method) => void calls.push(`notification ${method}`),
        },
      },
    );
    expect(await peer.handler.request("note/add", { text: "a" }, context)).toEqual({ id: "1" });
    expect(await peer.handler.request("note/share", { id: 1 }, context)).toEqual({});
    expect(await peer.handler.request("_acme/find", [1], context)).toEqual({});
    await peer.handler.notification("note/seen", { id: "1" }, context);
    await peer.handler.notification("_acme/ping", {}, context);
    expect(calls).toEqual([
      'request note/share {"id":1}',
      "request _acme/find [1]",
      "notification note/seen",
      "notification _acme/ping",
    ]);
    expect(diagnostics).toEqual([]);
  });

  test("of notifications alone leaves requests to -32601, and the reverse", async () => {
    const diagnostics: Diagnostic[] = [];
    const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
    const quiet = server({}, { fallback: { notification: () => {} } });
    await expect(quiet.peer.handler.request("_acme/find", {}, context)).rejects.toMatchObject({ code: -32601 });
    const asking = server({}, { onDiagnostic, fallback: { request: () => ({}) } });
    await asking.peer.handler.notification("_acme/ping", {}, context);
    expect(diagnostics.map(({ id }) => id)).toEqual(["unknown-notification"]);
  });
});

describe("a profile that is found out", () => {
  test("reads the value by which it was found, and writes from then on", async () => {
    const loud: Profile = {
      name: "loud",
      encode: { "note/add": { params: (value) => ({ ...(value as object), loud: true }) } },
      decode: { "note/ask": { params: () => ({ id: "decoded" }) } },
    };
    const finder = {
      found: { name: "quiet" } as Profile,
      look: (method: string) => void (method === "note/ask" && (finder.found = loud)),
    };
    const seen: unknown[] = [];
    const { peer, connection } = client(
      () => ({ id: "1" }),
      { profile: finder },
      { "note/ask": (params) => (seen.push(params), { text: "a" }) },
    );
    await connection.request("note/add", { text: "before" });
    await peer.handler.request("note/ask", { id: "raw" }, context);
    await connection.request("note/add", { text: "after" });
    expect(seen).toEqual([{ id: "decoded" }]);
    expect(peer.sent.map(({ params }) => params)).toEqual([{ text: "before" }, { text: "after", loud: true }]);
  });
});

test("an unknown role is named", () => {
  expect(() => connect(notes, "sever" as "server", peerDouble(), {} as ServerHandlers)).toThrow(
    new TypeError('connect: expected a role of notes, "client" or "server", received "sever"'),
  );
});

describe("a request and a notification of one name on the wire", () => {
  const shared = defineProtocol({
    name: "shared",
    version: "1",
    roles: ["client", "server"],
    methods: {
      tell: request({ from: "server", params: z.object({ a: z.number() }), result: z.object({}), optional: true }),
      "tell:notification": notification({ wire: "tell", from: "client", params: z.object({ b: z.number() }) }),
    },
  });

  test("are sent by their keys, under that name", async () => {
    const peer = peerDouble(() => ({}));
    await connect(shared, "server", peer, {}).request("tell", { a: 1 });
    const told = peerDouble();
    await connect(shared, "client", told, {}).notify("tell:notification", { b: 1 });
    expect([peer.sent[0]?.method, told.sent[0]?.method]).toEqual(["tell", "tell"]);
  });

  test("reach the handler of their kind, and never by the key", async () => {
    const seen: unknown[] = [];
    const server = peerDouble();
    const onDiagnostic = vi.fn();
    connect(shared, "server", server, { "tell:notification": (params) => void seen.push(params) }, { onDiagnostic });
    await server.handler.notification("tell", { b: 2 }, context);
    await server.handler.notification("tell:notification", { b: 3 }, context);
    expect(seen).toEqual([{ b: 2 }]);
    expect(onDiagnostic).toHaveBeenCalledTimes(1);
    const client = peerDouble();
    connect(shared, "client", client, { tell: ({ a }) => (seen.push(a), {}) });
    expect(await client.handler.request("tell", { a: 4 }, context)).toEqual({});
    expect(seen).toEqual([{ b: 2 }, 4]);
  });
});
