import { expect, test } from "vitest";
import { parseCommand } from "../src/commands.js";

test.each([
  ["  ", { type: "nothing" }],
  ["Fix it ", { type: "prompt", text: "Fix it" }],
  ["/mode  read-only", { type: "mode", name: "read-only" }],
  ["/mode", { type: "mode", name: undefined }],
  ["/cancel", { type: "cancel" }],
  ["/quit", { type: "quit" }],
  ["/exit", { type: "quit" }],
  ["/help", { type: "help" }],
  ["/review all", { type: "unknown", name: "/review", text: "/review all" }],
  ["/etc/hosts is wrong", { type: "prompt", text: "/etc/hosts is wrong" }],
])("%j", (line, command) => {
  expect(parseCommand(line)).toEqual(command);
});
