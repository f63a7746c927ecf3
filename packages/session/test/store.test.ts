import { expect, it } from "vitest";
import { safeListeners, Store, updateListener } from "../src/index.js";

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it("calls a listener that was added while listeners are called for the next value only", () => {
  const store = new Store(0, () => {});
  const seen: number[] = [];
  let stop = store.subscribe(again);
  function again(value: number): void {
    if (seen.push(value) > 5) return;
    stop();
    stop = store.subscribe(again);
  }
  store.set(1);
  expect(seen).toEqual([1]);
  store.set(2);
  expect(seen).toEqual([1, 2]);
});

it("does not call a listener that was removed while listeners are called", () => {
  const store = new Store(0, () => {});
  const seen: number[] = [];
  let stop = (): void => {};
  store.subscribe(() => stop());
  stop = store.subscribe((value) => seen.push(value));
  store.set(1);
  expect(seen).toEqual([]);
});

it("gives every listener all values in their order, also one that another listener sets", () => {
  const store = new Store(0, () => {});
  const first: number[] = [];
  const second: number[] = [];
  store.subscribe((value) => {
    first.push(value);
    if (value === 1) store.set(2);
  });
  store.subscribe((value) => second.push(value));
  store.set(1);
  expect({ first, second, state: store.state }).toEqual({ first: [1, 2], second: [1, 2], state: 2 });
});

it("ends a listener that changes the value in each call", () => {
  const errors: unknown[] = [];
  const store = new Store(0, (error) => errors.push(error));
  const stop = store.subscribe((value) => store.set(value + 1));
  store.set(1);
  expect(errors).toMatchObject([{ message: expect.stringContaining("1000 calls") }]);
  stop();
  const seen: number[] = [];
  store.subscribe((value) => seen.push(value));
  store.set(-1);
  expect(seen).toEqual([-1]);
});

it("reports what listeners throw and what their promises reject with", async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push((error as Error).message);
  const fails = async (text: string): Promise<void> => {
    throw new Error(text);
  };
  const store = new Store(0, onError);
  store.subscribe(() => {
    throw new Error("thrown");
  });
  store.subscribe(() => fails("rejected"));
  store.set(1);
  updateListener(() => fails("update"), onError)({}, {});
  safeListeners({ onDiagnostic: () => fails("diagnostic"), onError }).onDiagnostic({
    id: "x",
    method: undefined,
    message: "",
  });
  safeListeners({ onError: () => fails("dropped") }).onError(new Error(), undefined);
  await settled();
  expect(errors).toEqual(["thrown", "rejected", "update", "diagnostic"]);
});
