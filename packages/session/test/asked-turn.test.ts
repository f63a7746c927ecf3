import { RemoteError } from "@editwire/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AskedTurn, type AskedTurnOptions } from "../src/index.js";

const diagnostics: string[] = [];
let cancels = 0;

beforeEach(() => {
  vi.useFakeTimers();
  diagnostics.length = 0;
  cancels = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

function turnOf(options: Partial<AskedTurnOptions> = {}): AskedTurn<{ type: "text"; text: string }, "end_turn"> {
  return new AskedTurn({
    method: "session/prompt",
    sendCancel: () => void cancels++,
    cancelGraceMs: 10_000,
    onEnd: () => {},
    onDiagnostic: ({ id }) => void diagnostics.push(id),
    onError: () => {},
    ...options,
  });
}

/** Sends the prompt of a turn, as a session does. */
async function asks(turn: ReturnType<typeof turnOf>, send: () => Promise<"end_turn" | undefined>): Promise<void> {
  if (turn.start()) await turn.follow(send());
}

const never = (): Promise<undefined> => new Promise(() => {});

async function typesOf(turn: ReturnType<typeof turnOf>): Promise<string[]> {
  const types: string[] = [];
  for await (const event of turn.stream) types.push(event.type);
  return types;
}

it("yields its events, then one stop", async () => {
  const turn = turnOf();
  const reading = typesOf(turn);
  void asks(turn, async () => "end_turn");
  void turn.push({ type: "text", text: "a" });
  expect(await reading).toEqual(["text", "stop"]);
  expect(await turn.stopReason).toBe("end_turn");
});

it("ends as cancelled when the peer never answers, and repeats the cancel with growing pauses", async () => {
  const turn = turnOf();
  void asks(turn, never);
  void turn.cancel();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(turn.ended).toBe(false);
  expect(cancels).toBe(5); // at 0, 0.5, 1.5, 3.5 and 7.5 seconds
  await vi.advanceTimersByTimeAsync(1);
  expect(await turn.stopReason).toBe("cancelled");
  expect(diagnostics).toEqual(["cancel-unanswered"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cancels).toBe(5);
});

it("ends as cancelled when the peer answers a cancel with another reason", async () => {
  const turn = turnOf();
  void asks(turn, never);
  void turn.cancel();
  turn.end("end_turn");
  expect(await turn.stopReason).toBe("cancelled");
});

it("ends as cancelled when the peer answers a cancel with an error", async () => {
  const turn = turnOf();
  void asks(turn, never);
  void turn.cancel();
  turn.fail(RemoteError.internal());
  expect(await turn.stopReason).toBe("cancelled");
  expect(diagnostics).toEqual(["cancel-as-error"]);
});

it("throws the error of a turn that was not cancelled, where it is read and where it is awaited", async () => {
  const turn = turnOf();
  const reading = expect(typesOf(turn)).rejects.toThrow("Internal error");
  void asks(turn, () => Promise.reject(RemoteError.internal()));
  await reading;
  await expect(turn.stopReason).rejects.toThrow("Internal error");
});

it("does not send a prompt whose signal aborted before", async () => {
  const turn = turnOf({ signal: AbortSignal.abort() });
  expect(turn.signal.aborted).toBe(true);
  await asks(turn, () => expect.unreachable());
  expect(await turn.stopReason).toBe("cancelled");
  expect(cancels).toBe(0);
});

it("cancels when its signal aborts, and when the reader leaves early", async () => {
  const controller = new AbortController();
  const signalled = turnOf({ signal: controller.signal });
  void asks(signalled, never);
  controller.abort();
  expect(cancels).toBe(1);
  const left = turnOf();
  void asks(left, never);
  void left.push({ type: "text", text: "a" });
  for await (const event of left.stream) {
    expect(event.type).toBe("text");
    break;
  }
  expect(cancels).toBe(2);
});

it("tells its owner of the end before it tells the application", async () => {
  const order: string[] = [];
  const turn = turnOf({ onEnd: () => void order.push("owner") });
  void turn.stopReason.then(() => order.push("application"));
  await asks(turn, async () => "end_turn");
  await turn.stopReason;
  expect(order).toEqual(["owner", "application"]);
});

it.each([true, false])("gives every character when its texts are joined: %s", async (joinTexts) => {
  const turn = turnOf({ joinTexts });
  const texts: string[] = [];
  void asks(turn, async () => "end_turn");
  for (let n = 0; n < 50; n++) void turn.push({ type: "text", text: `${n},` });
  for await (const event of turn.stream) if (event.type === "text") texts.push(event.text);
  expect(texts.join("")).toBe(Array.from({ length: 50 }, (_, n) => `${n},`).join(""));
  expect(texts).toHaveLength(joinTexts ? 8 : 50);
});
