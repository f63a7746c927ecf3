import type { SessionUpdate } from "@editwire/acp-schema";
import type { Diagnostic } from "@editwire/core";
import { memoryPair } from "@editwire/transport";
import { expect, it } from "vitest";
import { acpProfiles, serveAcp } from "../src/index.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

/** Nearly all that one session keeps: 15 Mi characters. */
const history: SessionUpdate[] = Array.from({ length: 15 }, () => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: "x".repeat(1_048_576) },
}));

it("drops the history of the least recently used sessions when all together are too large", async () => {
  const [left, right] = memoryPair();
  const diagnostics: Diagnostic[] = [];
  const stored = new Set<string>();
  serveAcp(
    left,
    {
      loadSession({ sessionId }) {
        if (stored.has(sessionId)) throw new Error("the agent still has this session");
        stored.add(sessionId);
        return { history };
      },
      prompt: async () => "end_turn",
    },
    { profile: acpProfiles.v1, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) },
  );
  const client = new RawPeer(right);
  await client.call("initialize", { protocolVersion: 1 });
  /** Loads a session and gives the number of updates that were sent for it. */
  const load = async (sessionId: string): Promise<number> => {
    const before = client.received.length;
    await client.call("session/load", { sessionId, cwd: "/", mcpServers: [] });
    return client.received.slice(before).filter(({ method }) => method === "session/update").length;
  };

  for (let n = 0; n < 8; n++) expect(await load(`s${n}`)).toBe(15);
  expect(await load("s0")).toBe(15); // used again, so s1 is the oldest now
  expect(diagnostics).toEqual([]);
  expect(await load("s8")).toBe(15);
  expect(diagnostics).toMatchObject([{ id: "history-dropped", method: "session/load" }]);
  expect(diagnostics[0]?.message).toMatch(/^The history of session s1 was dropped, because /);
  expect([await load("s0"), await load("s1"), await load("s2")]).toEqual([15, 0, 15]);
});
