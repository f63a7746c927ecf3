import { expect, test } from "vitest";
import { parseCommand } from "../src/commands.js";

test.each([
  ["  ", { type: "nothing" }],
  ["Fix it ", { type: "prompt", text: "Fix it" }],
  ["/mode  read-only", { type: "mode", value: "read-only", text: "/mode  read-only" }],
  ["/model", { type: "model", value: undefined, text: "/model" }],
  ["/set", { type: "set", id: undefined, value: undefined, text: "/set" }],
  ["/set effort", { type: "set", id: "effort", value: undefined, text: "/set effort" }],
  ["/set effort very  high", { type: "set", id: "effort", value: "very high", text: "/set effort very  high" }],
  ["/cancel", { type: "cancel" }],
  ["/quit", { type: "quit" }],
  ["/exit", { type: "quit" }],
  ["/help", { type: "help" }],
  ["/review all", { type: "unknown", name: "/review", text: "/review all" }],
  ["/etc/hosts is wrong", { type: "prompt", text: "/etc/hosts is wrong" }],
])("%j", (line, command) => {
  expect(parseCommand(line)).toEqual(command);
});
