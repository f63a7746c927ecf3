import { expect, it } from "vitest";
import { openBridge } from "../src/index.js";

const endpoint = { kind: "stdio" } as const;
const options = {
  editor: { protocol: "eca", endpoint, cwd: "/p", permission: "reject_once" },
  agent: { protocol: "acp", endpoint, command: ["agent"] },
  id: "a",
  onDiagnostic() {},
  onError() {},
  onStderr() {},
  onListening() {},
} as const;

it.each([
  [undefined, ": expected options to be an object, received undefined"],
  [{ ...options, onEror() {} }, ": expected no option onEror; the options are editor, agent, id, "],
  [{ ...options, id: 5 }, ": expected id to be a string, received the number 5"],
  [{ ...options, onError: undefined }, ": expected the option onError, received none"],
  [{ ...options, helixZedProfile: "v9" }, ": expected helixZedProfile to be one of spec, v2026, received the string "],
  [{ ...options, agent: { ...options.agent, protocol: "lsp" } }, ": agent: expected protocol to be one of acp, eca, "],
  [{ ...options, agent: { ...options.agent, command: "acp" } }, ": agent: expected command to be an array, received "],
  [{ ...options, editor: { ...options.editor, cwd: undefined } }, ": editor: expected the option cwd, received none"],
])("openBridge names what is wrong with %j", async (wrong, message) => {
  await expect(openBridge(wrong as never)).rejects.toThrow(`openBridge${message}`);
});
