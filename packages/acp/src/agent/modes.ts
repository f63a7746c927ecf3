import type { AgentCapabilities, SessionModeState } from "@editwire/acp-schema";

/** The capabilities that the specification lists (5.1), for an agent that has them all. */
export const specCapabilities: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { audio: true, image: true, embeddedContext: true },
  mcpCapabilities: { http: false, sse: false },
  sessionCapabilities: {},
};

/** The four modes that the specification lists (9), for an agent that has them all. */
export const specModes: SessionModeState = {
  currentModeId: "full",
  availableModes: [
    { id: "full", name: "Full Access", description: "All tools available" },
    { id: "read-only", name: "Read-Only", description: "No local writes or execution" },
    { id: "safe", name: "Safe Mode", description: "Excludes potentially dangerous tools" },
    { id: "sandbox", name: "Sandbox Mode", description: "Disable local file/shell tools; use sandbox_* tools instead" },
  ],
};
