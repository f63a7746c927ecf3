import { afterEach, expect, it, vi } from "vitest";
import { AskedTurn } from "../src/index.js";

afterEach(() => vi.unstubAllGlobals());

/** Counts the controllers that are made. */
function countControllers(): { made: number } {
  const count = { made: 0 };
  const Real = AbortController;
  const counting = class extends Real {
    constructor() {
      super();
      count.made++;
    }
  };
  vi.stubGlobal("AbortController", counting);
  return count;
}

function turnOf(signal: AbortSignal): AskedTurn<{ type: "text"; text: string }, "end_turn"> {
  return new AskedTurn({
    method: "prompt",
    signal,
    sendCancel: () => {},
    cancelGraceMs: 1_000,
    onEnd: () => {},
    onDiagnostic: () => {},
    onError: () => {},
  });
}

/** Sends the prompt of a turn, as a session does. */
async function asks(turn: ReturnType<typeof turnOf>, send: () => Promise<"end_turn">): Promise<void> {
  if (turn.start()) await turn.follow(send());
}

it("makes no abort controller for a turn that nobody watches", async () => {
  const { signal } = new AbortController();
  const count = countControllers();
  const turn = turnOf(signal);
  await asks(turn, async () => "end_turn");
  expect(await turn.stopReason).toBe("end_turn");
  expect(count.made).toBe(0);
});

it("does not give a request up that was answered", async () => {
  const turn = turnOf(new AbortController().signal);
  const { givenUp, signal } = turn;
  await asks(turn, async () => "end_turn");
  expect([givenUp.aborted, signal.aborted, turn.givenUp.aborted]).toEqual([false, true, false]);
});

it("gives a request up whose turn has ended without its answer", async () => {
  const turn = turnOf(new AbortController().signal);
  void asks(turn, () => new Promise(() => {}));
  expect(turn.givenUp.aborted).toBe(false);
  turn.fail(new Error("lost"));
  expect([turn.givenUp.aborted, turn.ended]).toEqual([true, true]);
});

it("is not cancelled by a signal that aborts when the turn is over", async () => {
  const controller = new AbortController();
  const turn = turnOf(controller.signal);
  await asks(turn, async () => "end_turn");
  controller.abort();
  expect(turn.cancelled).toBe(false);
});
