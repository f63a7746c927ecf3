import {
  AcpErrorCode,
  acpProfiles,
  isPromptInProgress,
  isSessionNotFound,
  mcpServersRefused,
  promptInProgress,
  sessionNotFound,
  unsupportedMode,
} from "@editwire/acp-schema";
import { RemoteError, WireError } from "@editwire/core";
import { expect, test } from "vitest";

test.each([
  [new RemoteError(-32002, "Resource not found"), true],
  [new RemoteError(-32001, "nope"), true],
  [new RemoteError(-32602, "session not found"), true],
  [new RemoteError(-32602, "Invalid params", "Session s-1 was not found"), true],
  [new RemoteError(-32603, "Internal error", { details: "Unknown session: s-1" }), true],
  [new RemoteError(-32603, "Internal error", { details: "No previous sessions found for this project." }), true],
  [new RemoteError(-32603, "Internal error", { details: 'Invalid session identifier "s-1".' }), true],
  [new RemoteError(-32603, "Internal error", "no rollout found for thread id s-1"), true],
  [new RemoteError(-32603, "Internal error", { details: "No conversation found with session ID: s-1" }), true],
  [new RemoteError(-32603, "Internal error", { error: { data: { message: "Session not found: s-1" } } }), true],
  [new RemoteError(-32603, "Internal error", { details: "No model found" }), false],
  [new RemoteError(-32603, "Internal error", { sessionId: "s-1" }), false],
  [new RemoteError(-32602, "file not found"), false],
  [new RemoteError(-32601, "session not found"), false],
  [new RemoteError(-32000, "unknown session"), false],
  [new WireError("invalid_params", "session not found"), false],
  [new Error("session not found"), false],
  [undefined, false],
])("isSessionNotFound: %s is %s", (error, expected) => {
  expect(isSessionNotFound(error)).toBe(expected);
});

const id = "3f0c7b9e-5d7a-4c55-9a1e-0b6f2d7c8e11";
const thrown = (details: string): RemoteError => new RemoteError(-32603, "Internal error", { details });

function openCode(method: string, service = "session"): RemoteError {
  return new RemoteError(-32603, "Internal error: OpenCode service failure", { service }, { method });
}

/** As the programs write them, read in their packages. */
test.each([
  ["gemini-cli 0.61 session/prompt", new RemoteError(-32602, `Session not found: ${id}`), true],
  [
    "gemini-cli 0.61 session/load",
    thrown(
      `Invalid session identifier "${id}".\n  Searched for sessions in /work.\n` +
        "  Use --list-sessions to see available sessions",
    ),
    true,
  ],
  ["gemini-cli 0.61 without a session", thrown("No previous sessions found for this project."), true],
  ["gemini-cli 0.61 with a path as id", thrown("Invalid sessionId after sanitization: ../x"), true],
  ["gemini-cli 0.61 with a bad parent", thrown("Invalid parentSessionId after sanitization: ../x"), false],
  ["opencode 1.18 session/prompt", new RemoteError(-32602, `session not found: ${id}`, { sessionId: id }), true],
  ["opencode 1.18 session/load", openCode("session/load"), true],
  ["opencode 1.18 session/resume", openCode("session/resume"), true],
  ["opencode 1.18 to a prompt that failed", openCode("session/prompt"), false],
  ["opencode 1.18 whose providers failed", openCode("session/load", "provider"), false],
  ["qwen serve 0.24", new RemoteError(-32602, `No session with id "${id}"`), true],
  ["claude-code-acp 0.16", thrown("Session not found"), true],
  ["claude-agent-acp 0.100", new RemoteError(-32002, `Session not found: ${id}`, { sessionId: id }), true],
  ["claude-agent-acp 0.100 to a fork", thrown(`Session ${id} not found`), true],
  ["claude-agent-acp 0.100 to an id that is not a UUID", thrown("Invalid sessionId: s-1"), true],
  [
    "claude-agent-acp 0.101 to session/load with an id that is not a UUID",
    thrown(
      "Claude Code returned an error result: Error: --resume requires a valid session ID or session title when used " +
        'with --print. Provided value "s-1" is not a UUID and does not match any session title.',
    ),
    true,
  ],
  ["claude's resume", thrown(`No conversation found with session ID: ${id}`), true],
  ["claude-agent-acp 0.100 to a wrong cursor", new RemoteError(-32602, "Unknown session/list cursor: 7"), false],
  ["codex-acp 2.6", new RemoteError(-32002, `Session not found: ${id}`, { sessionId: id }), true],
  ["codex-acp 2.6 to another method", new RemoteError(-32602, `Unknown session: ${id}`), true],
  ["codex 0.16 session/load", thrown(`no rollout found for thread id ${id}`), true],
  ["codex's archive", thrown(`no archived rollout found for thread id ${id}`), true],
  ["codex's turn", thrown(`thread not found: ${id}`), true],
  ["codex's thread of another process", thrown(`thread not loaded: ${id}`), true],
  ["codex-acp 2.6 session/prompt", new RemoteError(-32002, `Session ${id} not found`, { sessionId: id }), true],
  ["codex-acp 2.6 to a wrong cursor", thrown("invalid cursor: zzz"), false],
  ["codex to an id that is not a UUID", thrown("invalid thread id: s-1"), true],
  ["codex's session in use", thrown(`thread ${id} already has an active writer`), false],
])("isSessionNotFound recognizes %s", (_, error, expected) => {
  expect(isSessionNotFound(error)).toBe(expected);
});

test.each([
  [new RemoteError(-32600, "prompt already running"), true],
  [new RemoteError(-32600, "Invalid request", { reason: "a turn is ALREADY active" }), true],
  [new RemoteError(-32600, "Session is busy"), true],
  [new RemoteError(-32600, "session s-1 already has an active prompt"), true],
  [new RemoteError(-32600, "a prompt is already in progress"), true],
  [new RemoteError(-32600, `thread ${id} already has an active writer`), false], // another process has the session
  [new RemoteError(-32600, "already initialized"), false],
  [new RemoteError(-32600, "Invalid request"), false],
  [new RemoteError(-32602, "prompt already running"), false],
  [new Error("prompt already running"), false],
])("isPromptInProgress: %s is %s", (error, expected) => {
  expect(isPromptInProgress(error)).toBe(expected);
});

test("each dialect has its codes, and each answer is recognized", () => {
  expect(sessionNotFound("s-1")).toMatchObject({
    code: -32602,
    message: "session not found",
    data: { sessionId: "s-1" },
  });
  expect(sessionNotFound("s-1", acpProfiles.v1.traits).code).toBe(AcpErrorCode.ResourceNotFound);
  expect(
    isSessionNotFound(sessionNotFound("s-1")) && isSessionNotFound(sessionNotFound("s-1", acpProfiles.v1.traits)),
  ).toBe(true);
  expect(mcpServersRefused("http is not supported")).toMatchObject({ code: -32603, data: "http is not supported" });
  expect(mcpServersRefused("http is not supported", acpProfiles.v1.traits).code).toBe(-32602);
  expect(promptInProgress("s-1")).toMatchObject({ code: -32600, data: { sessionId: "s-1" } });
  expect(isPromptInProgress(promptInProgress("s-1"))).toBe(true);
  expect(unsupportedMode("turbo")).toMatchObject({ code: -32602, data: { modeId: "turbo" } });
});
