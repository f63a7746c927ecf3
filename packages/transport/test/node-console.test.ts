import { expect, it, vi } from "vitest";
import { consoleToStderr } from "../src/node/console.js";

it("moves the console's output to stderr and back, but for what others replaced since", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { log, info, debug } = console;
  const restore = consoleToStderr();
  console.log("stray %d", 1);
  expect(write.mock.calls.map(([text]) => text)).toEqual(["stray 1\n"]);
  const mine = (): void => {};
  console.info = mine;
  restore();
  expect([console.log, console.info, console.debug]).toEqual([log, mine, debug]);
  console.info = info;
  write.mockRestore();
});
