import type { ChatContent, ChatRole } from "@editwire/eca-schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ClientState, emptySession, reduceSession } from "../src/client/state.js";
import type { EcaSessionState } from "../src/index.js";

const call = { id: "t", name: "read", origin: "native" } as const;

const fail = (error: unknown): never => {
  throw error;
};

it("has the same state for a subscriber, for a reader now and then, for one at the end, and by the reducer", () => {
  const role = fc.constantFrom<ChatRole>("assistant", "system", "user");
  const content = fc.oneof(
    { weight: 4, arbitrary: fc.string().map((text): ChatContent => ({ type: "text", text })) },
    fc.constantFrom<ChatContent>(
      { type: "url", title: "a page", url: "https://app.example" },
      { type: "reasonStarted", id: "r" },
      { type: "reasonText", id: "r", text: "because" },
      { type: "progress", state: "running", text: "Generating" },
      { type: "progress", state: "finished" },
      { ...call, type: "toolCallPrepare", argumentsText: "{}" },
      { ...call, type: "toolCallRun", arguments: {}, manualApproval: true },
      { ...call, type: "toolCalled", arguments: {}, error: false, outputs: [] },
      { type: "usage", sessionTokens: 3 },
      { type: "metadata", title: "T" },
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(role, content, fc.boolean()), { maxLength: 40 }), (steps) => {
      const [subscribed, looked, atEnd] = [1, 2, 3].map(() => new ClientState(emptySession(), fail)) as [
        ClientState,
        ClientState,
        ClientState,
      ];
      let seen: unknown = subscribed.value;
      let reduced = emptySession();
      subscribed.subscribe((state) => (seen = state));
      for (const [each, piece, looks] of steps) {
        const received = { chatId: "c", role: each, content: piece };
        for (const store of [subscribed, looked, atEnd]) store.update({ type: "received", received });
        reduced = frozen(reduceSession(reduced, { type: "received", received }));
        if (looks) expect(frozen(looked.value)).toEqual(seen);
      }
      expect(atEnd.value).toEqual(seen);
      expect(atEnd.value).toEqual(reduced);
      expect(atEnd.value).toBe(atEnd.value);
    }),
  );
});

it("keeps the states that were read as they were", () => {
  const store = new ClientState(emptySession(), fail);
  const received = (text: string) => ({ chatId: "c", role: "assistant", content: { type: "text", text } }) as const;
  store.update({ type: "received", received: received("a") });
  const first = frozen(store.value);
  for (const text of ["b", "c"]) store.update({ type: "received", received: received(text) });
  store.update({ type: "titled", title: "T" });
  expect(first).toMatchObject({ title: undefined, entries: [{ text: "a" }] });
  expect(store.value).toMatchObject({ title: "T", entries: [{ text: "abc" }] });
  expect(store.value).toBe(store.value);
});

/** A state that throws when it is changed in place. */
function frozen(state: EcaSessionState): EcaSessionState {
  for (const entry of state.entries) Object.freeze(entry);
  Object.freeze(state.entries);
  return Object.freeze(state);
}

it("ends a turn without a look at earlier messages", () => {
  const turns = (count: number): number => {
    const store = new ClientState(emptySession(), fail);
    for (let n = 0; n < count; n++) store.update(said("user", "a question"));
    const start = performance.now();
    for (let n = 0; n < 300; n++) {
      store.update(said("assistant", "an answer"));
      store.update({ type: "ended" });
    }
    return performance.now() - start;
  };
  const least = (count: number): number => Math.min(...[1, 2, 3].map(() => turns(count)));
  // To copy the messages takes about a hundred times as long.
  expect(least(9_000) / least(10)).toBeLessThan(20);
});

const said = (role: ChatRole, text: string) =>
  ({ type: "received", received: { chatId: "c", role, content: { type: "text", text } } }) as const;
