import { expect, test } from "vitest";
import { absoluteUpdate } from "../src/agent/absolute-paths.js";

const call = { sessionUpdate: "tool_call_update", toolCallId: "c1" } as const;

test("does not copy an update whose paths are absolute", () => {
  const update = {
    ...call,
    locations: [{ path: "/work/a.ts", line: 1 }, { path: "C:\\a.ts" }],
    content: [{ type: "diff" as const, path: "/work/a.ts", newText: "b" }],
  };
  expect(absoluteUpdate(update, "/work")).toBe(update);
});

test("completes relative paths, and drops lines below 1, in a copy", () => {
  const update = {
    ...call,
    locations: [
      { path: "./a.ts", line: 0 },
      { path: "b.ts", line: 2 },
    ],
    content: [{ type: "diff" as const, path: "c.ts", newText: "d" }],
  };
  expect(absoluteUpdate(update, "/work/")).toEqual({
    ...call,
    locations: [{ path: "/work/a.ts" }, { path: "/work/b.ts", line: 2 }],
    content: [{ type: "diff", path: "/work/c.ts", newText: "d" }],
  });
  expect(update.locations[0]).toEqual({ path: "./a.ts", line: 0 });
});
