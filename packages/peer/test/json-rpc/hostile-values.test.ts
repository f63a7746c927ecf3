import { isRemoteError, isWireError, RemoteError } from "@editwire/core/errors";
import { describe, expect, it } from "vitest";
import { jsonRpcPeer } from "../../src/index.js";
import { handlerOf, listener, rejection, turn } from "./support.js";
import { Wire } from "./wire.js";

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Every look at it throws. */
function trapped(brands: boolean): object {
  const refuse = (): never => {
    throw new Error("a hostile trap");
  };
  return new Proxy({}, { get: refuse, has: brands ? () => true : refuse, getPrototypeOf: refuse });
}

function withThen(property: PropertyDescriptor): object {
  const value = {};
  Reflect.defineProperty(value, ["then"].join(""), property);
  return value;
}

const hostile: Record<string, () => unknown> = {
  "a revoked proxy": revoked,
  "a proxy whose traps throw": () => trapped(false),
  "a proxy that has every brand and whose members throw": () => trapped(true),
  "an error whose members throw": () =>
    Object.defineProperties(new RemoteError(1, "text"), {
      code: { get: () => expect.fail("code") },
      message: { get: () => expect.fail("message") },
    }),
  "an error whose data throws": () => new RemoteError(1, "text", { toJSON: () => expect.fail("data") }),
  "a thenable whose then throws": () => withThen({ value: () => expect.fail("then") }),
  "an object whose then is a getter that throws": () => withThen({ get: () => expect.fail("then") }),
};

describe.each(Object.entries(hostile))("%s", (_name, make) => {
  it.each(["thrown", "rejected", "returned", "resolved"])(
    "is answered when it is %s, and the lane goes on",
    async (how) => {
      const wire = new Wire();
      const recorded = listener();
      const log: string[] = [];
      const handle = (method: string): unknown => {
        log.push(method);
        if (method === "good") return "fine";
        if (how === "thrown") throw make();
        if (how === "returned") return make();
        return Promise.resolve().then(() => (how === "rejected" ? Promise.reject(make() as Error) : make()));
      };
      jsonRpcPeer(wire).serve(
        handlerOf({ ...recorded.callbacks, request: handle, notification: handle as () => void }),
      );
      wire.request(1, "bad");
      wire.notify("bad");
      wire.request(2, "good");
      wire.notify("good");
      await turn();
      expect(log.sort()).toEqual(["bad", "bad", "good", "good"]);
      expect(wire.sent.map(({ id }) => id).sort()).toEqual([1, 2]);
      expect(wire.sent.find(({ id }) => id === 2)).toMatchObject({ result: "fine" });
      expect(recorded.errors.length).toBeGreaterThan(0);
      wire.request(3, "good");
      expect(wire.sent.at(-1)).toMatchObject({ id: 3, result: "fine" });
    },
  );

  it("is not an error of one code", () => {
    expect(isWireError(make(), "closed")).toBe(false);
    expect(isRemoteError(make(), -32601)).toBe(false);
  });

  it("may be the reason of an abort", async () => {
    const wire = new Wire();
    const peer = jsonRpcPeer(wire);
    peer.serve(handlerOf());
    const controller = new AbortController();
    const call = rejection(peer.request("ask", {}, { signal: controller.signal }));
    controller.abort(make());
    expect(await call).toMatchObject({ code: "aborted", message: "ask: aborted" });
  });
});

it("sends half a character as U+FFFD, which every parser reads, and leaves all else as it is", () => {
  const wire = new Wire();
  const peer = jsonRpcPeer(wire, {});
  const whole = '\u{1F600} \\ud83d \\\\ud83d \\\\ " \n';
  void peer.notify("note", { text: `a\uD83D`, more: [`\uDE00b`, `\\\uD83D`, whole] });
  expect(wire.texts.join("")).not.toMatch(/(?<!\\)(?:\\\\)*\\ud/);
  expect(wire.sent[0]?.params).toEqual({ text: "a\uFFFD", more: ["\uFFFDb", "\\\uFFFD", whole] });
});
