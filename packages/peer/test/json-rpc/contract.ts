import type { Peer, PeerContext, PeerHandler } from "@editwire/core";
import { RemoteError, WireError } from "@editwire/core/errors";
import { describe, expect, it } from "vitest";
import { nest } from "./nest.js";
import { deferred, handlerOf, listener, rejection } from "./support.js";

/** Two peers on one connection, neither of them served yet. Their protocol has a cancel message. */
export interface PeerPair {
  readonly left: Peer;
  readonly right: Peer;
}

/** Tests that every peer engine must pass. */
export function peerTests(name: string, makePair: () => PeerPair | Promise<PeerPair>): void {
  const served = async (right: Partial<PeerHandler>, left: Partial<PeerHandler> = {}): Promise<PeerPair> => {
    const pair = await makePair();
    pair.right.serve(handlerOf(right));
    pair.left.serve(handlerOf(left));
    return pair;
  };

  describe(`${name}: calls`, () => {
    it("gives the handler the method and the params, and the caller the result", async () => {
      const { left } = await served({ request: (method, params) => ({ method, params }) });
      expect(await left.request("sum", { of: [1, 2] })).toEqual({ method: "sum", params: { of: [1, 2] } });
      await left.close();
    });

    it("waits for a handler's promise", async () => {
      const { left } = await served({ request: () => Promise.resolve("later") });
      expect(await left.request("get", {})).toBe("later");
      await left.close();
    });

    it("answers null for a handler without a result", async () => {
      const { left } = await served({ request: () => undefined });
      expect(await left.request("get", {})).toBeNull();
      await left.close();
    });

    it("settles calls in the order of their answers, not of their making", async () => {
      const first = deferred<string>();
      const { left } = await served({ request: (method) => (method === "first" ? first.promise : "second") });
      const slow = left.request("first", {});
      expect(await left.request("second", {})).toBe("second");
      first.resolve("first");
      expect(await slow).toBe("first");
      await left.close();
    });

    it("carries a thousand calls at once, both ways", async () => {
      const echo: Partial<PeerHandler> = { request: (_method, params) => params };
      const { left, right } = await served(echo, echo);
      const calls = Array.from({ length: 1_000 }, (_, n) => (n % 2 === 0 ? left : right).request("echo", { n }));
      expect(await Promise.all(calls)).toEqual(calls.map((_, n) => ({ n })));
      await left.close();
    });

    it("lets a handler call back before it answers", async () => {
      const pair = await makePair();
      pair.right.serve(handlerOf({ request: async () => `got ${String(await pair.right.request("ask", {}))}` }));
      pair.left.serve(handlerOf({ request: () => "this" }));
      expect(await pair.left.request("start", {})).toBe("got this");
      await pair.left.close();
    });
  });

  describe(`${name}: nested calls`, () => {
    it("finishes those of two handlers of one session that call each other, a thousand deep", async () => {
      const pair = await makePair();
      const ends = [pair.left, pair.right].map((peer) => nest(peer));
      await Promise.all([
        pair.left.notify("begin", { s: "1", n: 1_000 }),
        pair.right.notify("begin", { s: "1", n: 1_000 }),
      ]);
      expect(await Promise.all(ends)).toEqual([1_000, 1_000]);
      expect(await pair.left.request("depth", { s: "1", n: 1 })).toBe(1);
      await pair.left.close();
    });
  });

  describe(`${name}: errors`, () => {
    it("carries a RemoteError as it is", async () => {
      const { left } = await served({
        request: () => {
          throw new RemoteError(-32042, "no such session", { session: "s1" });
        },
      });
      const error = await rejection(left.request("load", {}));
      expect(error).toBeInstanceOf(RemoteError);
      expect(error).toMatchObject({
        code: -32042,
        message: "no such session",
        data: { session: "s1" },
        method: "load",
      });
      await left.close();
    });

    it("tells the peer nothing of any other error, and its own side all", async () => {
      const { errors, callbacks } = listener();
      const secret = new Error("password is 1234");
      const { left } = await served({ request: () => Promise.reject(secret), ...callbacks });
      expect(await rejection(left.request("load", {}))).toMatchObject({
        code: -32603,
        message: "Internal error",
        data: undefined,
      });
      expect(errors).toEqual([secret]);
      await left.close();
    });

    it("fails only the call whose params JSON cannot hold", async () => {
      const { left } = await served({ request: () => "fine" });
      expect(await rejection(left.request("put", { size: 1n }))).toMatchObject({
        name: "WireError",
        code: "invalid_params",
      });
      expect(await left.request("put", { size: 1 })).toBe("fine");
      await left.close();
    });

    it("fails only the call whose result JSON cannot hold", async () => {
      const { errors, callbacks } = listener();
      const { left } = await served({ request: (method) => (method === "size" ? 1n : "fine"), ...callbacks });
      expect(await rejection(left.request("size", {}))).toMatchObject({ code: -32603, message: "Internal error" });
      expect(errors).toHaveLength(1);
      expect(await left.request("name", {})).toBe("fine");
      await left.close();
    });

    it("goes on after a notification handler throws or rejects", async () => {
      const { errors, callbacks } = listener();
      const [thrown, rejected] = [new Error("thrown"), new Error("rejected")];
      const { left } = await served({
        request: () => "alive",
        notification: (method) => {
          if (method === "throw") throw thrown;
          return Promise.reject(rejected);
        },
        ...callbacks,
      });
      await left.notify("throw", {});
      await left.notify("reject", {});
      expect(await left.request("ping", {})).toBe("alive");
      expect(errors).toEqual([thrown, rejected]);
      await left.close();
    });
  });

  describe(`${name}: cancelling and time`, () => {
    it("does not send a call whose signal is aborted already", async () => {
      const seen: string[] = [];
      const { left } = await served({ request: (method) => void seen.push(method) });
      const reason = new Error("not needed");
      const error = await rejection(left.request("slow", {}, { signal: AbortSignal.abort(reason) }));
      expect(error).toMatchObject({ code: "aborted", cause: reason });
      await left.request("ping", {});
      expect(seen).toEqual(["ping"]);
      await left.close();
    });

    it("rejects an aborted call and aborts its handler's signal", async () => {
      const started = deferred<PeerContext>();
      const stopped = deferred();
      const { left } = await served({
        request: (_method, _params, context) => {
          context.signal.addEventListener("abort", () => stopped.resolve());
          started.resolve(context);
          return stopped.promise;
        },
      });
      const controller = new AbortController();
      const call = rejection(left.request("slow", {}, { signal: controller.signal }));
      expect((await started.promise).signal.aborted).toBe(false);
      controller.abort(new Error("enough"));
      expect(await call).toMatchObject({ name: "WireError", code: "aborted", cause: new Error("enough") });
      await stopped.promise;
      await left.close();
    });

    it("rejects a call that takes too long, and survives the late answer", async () => {
      const late = deferred<string>();
      const { left } = await served({ request: (method) => (method === "slow" ? late.promise : "alive") });
      const error = await rejection(left.request("slow", {}, { timeoutMs: 5 }));
      expect(error).toMatchObject({ name: "WireError", code: "timeout" });
      expect((error as Error).message).toMatch(/slow.*5 ms/);
      late.resolve("too late");
      expect(await left.request("ping", {})).toBe("alive");
      await left.close();
    });
  });

  describe(`${name}: order`, () => {
    it("handles the notifications of one session one at a time, in order", async () => {
      const log: string[] = [];
      const finished = deferred();
      const { left } = await served({
        session: () => "s",
        async notification(method) {
          log.push(`${method} starts`);
          await Promise.resolve();
          log.push(`${method} ends`);
          if (method === "c") finished.resolve();
        },
      });
      for (const method of ["a", "b", "c"]) await left.notify(method, {});
      await finished.promise;
      expect(log).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
      await left.close();
    });

    it("does not let one session wait for another", async () => {
      const stuck = deferred();
      const { left } = await served({
        request: (_method, params) => params,
        session: (_method, params) => (params as { session?: string }).session,
        notification: () => stuck.promise,
      });
      await left.notify("slow", { session: "one" });
      expect(await left.request("echo", { session: "two" })).toEqual({ session: "two" });
      stuck.resolve();
      await left.close();
    });
  });

  describe(`${name}: the end`, () => {
    it("rejects every pending call on both sides, and says so", async () => {
      const never = new Promise<never>(() => {});
      const reached = deferred();
      const { left, right } = await served({ request: () => never }, { request: () => (reached.resolve(), never) });
      const calls = [rejection(left.request("wait", {})), rejection(right.request("wait", {}))];
      await reached.promise;
      await left.close();
      for (const error of await Promise.all(calls)) {
        expect(error).toMatchObject({ name: "WireError", code: "closed" });
        expect((error as Error).cause).toBeInstanceOf(WireError);
      }
      expect(await left.closed).toBeInstanceOf(WireError);
      expect(await right.closed).toBeInstanceOf(WireError);
    });

    it("refuses calls and notifications afterwards", async () => {
      const { left } = await served({});
      await left.close();
      await left.closed;
      expect(await rejection(left.request("late", {}))).toMatchObject({ name: "WireError", code: "closed" });
      expect(() => left.notify("late", {})).toThrow(expect.objectContaining({ name: "WireError", code: "closed" }));
      await left.close();
    });

    it("aborts the signals of the handlers that still run", async () => {
      const started = deferred<PeerContext>();
      const { left } = await served({
        request: (_method, _params, context) => {
          started.resolve(context);
          return new Promise(() => {});
        },
      });
      rejection(left.request("wait", {})).catch(() => {});
      const { signal } = await started.promise;
      const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
      await left.close();
      await aborted;
      expect(signal.aborted).toBe(true);
    });

    it("says that it is closed even when it never read", async () => {
      const { left, right } = await makePair();
      await left.close();
      expect(await left.closed).toMatchObject({ code: "closed" });
      await right.close();
    });
  });
}
