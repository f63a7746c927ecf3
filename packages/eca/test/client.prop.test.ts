import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Message } from "../../peer/test/raw-peer.js";
import { all, open } from "./client-peer.js";
import { messageOf, readTranscript } from "./client-transcript.js";

const recorded = ["emacs-2025-08-13-against-seed-server", "emacs-2026-08-against-current-server"].flatMap((name) =>
  readTranscript(name)
    .filter(({ from }) => from === "server")
    .map((block) => messageOf(block) as Message)
    .filter(({ method }) => method !== undefined),
);

type Path = readonly (string | number)[];

/** The places in a value that a mutation may change. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, part]) =>
      places(part, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function changed(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((part, index) => (index === key ? changed(part, rest, change) : (part as unknown)));
  return { ...(value as object), [key]: changed((value as Record<string, unknown>)[key], rest, change) };
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, "", " ", "finished", 0, -1, 1e308, true, [], {}, [null], { type: "text" }),
  fc.jsonValue({ maxDepth: 2 }),
);
const mutated = fc
  .constantFrom(...recorded)
  .chain((message) => fc.record({ message: fc.constant(message), path: fc.constantFrom(...places(message)), junk }))
  .map(({ message, path, junk: value }) => changed(message, path, () => value));

it("C7: 2,000 mutated messages of a server neither end the connection nor touch another chat", async () => {
  const { client, raw } = await open({ permission: async () => "reject_once" });
  const [bystander, victim] = [
    client.newSession({ sessionId: "bystander" }),
    client.newSession({ sessionId: "srv-chat-1" }),
  ];
  const states = new Set<unknown>();
  bystander.subscribe((state) => states.add(state));
  const turn = victim.prompt("Hello");
  const prompt = await raw.take("chat/prompt");
  for (const message of fc.sample(mutated, { numRuns: 2_000, seed: 7 }))
    raw.send((typeof message === "object" && message !== null ? message : { message }) as object);
  raw.answer(prompt, { chatId: "srv-chat-1", model: "m", status: "success" });
  await turn.answer;
  expect(states.size).toBe(0);

  const next = bystander.prompt("still there?");
  raw.answer(await raw.take("chat/prompt"), { chatId: "bystander", model: "m", status: "success" });
  raw.content("bystander", "assistant", { type: "text", text: "yes" });
  raw.finish("bystander");
  expect((await all(next)).map(({ type }) => type)).toEqual(["text", "stop"]);
  await raw.close();
});
