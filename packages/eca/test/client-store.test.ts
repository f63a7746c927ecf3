import type { ChatContent, ChatRole } from "@editwire/eca-schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ClientStore } from "../src/client-store.js";

const fail = (error: unknown): never => {
  throw error;
};

it("has the same state for a subscriber, for a reader now and then, and for one at the end", () => {
  const role = fc.constantFrom<ChatRole>("assistant", "system", "user");
  const content = fc.oneof(
    { weight: 4, arbitrary: fc.string().map((text): ChatContent => ({ type: "text", text })) },
    fc.constantFrom<ChatContent>(
      { type: "url", title: "a page", url: "https://app.example" },
      { type: "reasonStarted", id: "r" },
      { type: "reasonText", id: "r", text: "because" },
      { type: "progress", state: "running", text: "Generating" },
      { type: "progress", state: "finished" },
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(role, content, fc.boolean()), { maxLength: 40 }), (steps) => {
      const [subscribed, looked, atEnd] = [undefined, undefined, undefined].map(
        (contexts) => new ClientStore(contexts, fail),
      ) as [ClientStore, ClientStore, ClientStore];
      let seen: unknown = subscribed.state;
      subscribed.subscribe((state) => (seen = state));
      for (const [each, piece, looks] of steps) {
        const received = { chatId: "c", role: each, content: piece };
        for (const store of [subscribed, looked, atEnd]) store.update({ type: "received", received });
        if (looks) expect(looked.state).toEqual(seen);
      }
      expect(atEnd.state).toEqual(seen);
      expect(atEnd.state).toBe(atEnd.state);
    }),
  );
});

it("does not make a state for each piece of text that nobody looks at", () => {
  const store = new ClientStore(undefined, fail);
  const { settled } = store;
  const received = (text: string) => ({ chatId: "c", role: "assistant", content: { type: "text", text } }) as const;
  for (const text of ["a", "b", "c"]) store.update({ type: "received", received: received(text) });
  expect(store.settled).toBe(settled);
  expect(store.state.entries).toMatchObject([{ type: "message", text: "abc" }]);
  expect(store.settled).toBe(store.state);
});
