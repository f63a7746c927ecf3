import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnAcp } from "@editwire/acp/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAgent } from "../src/index.js";
import { bundle } from "../../../scripts/testing/bundle.js";

const { agent, gateway } = await bundle(import.meta.url, {
  agent: "fixtures/traced-agent.ts",
  gateway: "fixtures/matrix-gateway.ts",
});
let folder = "";
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "editwire-"))));
afterAll(() => rm(folder, { recursive: true }));

const traced = (span: string) => ({ traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${span}-01`, tracestate: "x=1" });
/** No trace context: it crosses, too, because gateways do not read it. */
const malformed = { traceparent: "no trace", baggage: { user: 1 } };

it("the trace context of sessions, prompts and questions crosses a gateway, in both directions", async () => {
  const asked: unknown[] = [];
  const client = await spawnAcp([process.execPath, gateway, "acp-v1", "acp-v1", process.execPath, agent], {
    env: { MATRIX_REPORTS: join(folder, "reports") },
    fs: {
      readTextFile: async ({ _meta }) => {
        asked.push({ read: _meta });
        return { content: "" };
      },
    },
    permission: async ({ _meta }) => {
      asked.push({ permission: _meta });
      return "allow_once";
    },
    onError: () => {},
  });
  try {
    const session = await client.newSession({ cwd: folder, _meta: traced("00f067aa0ba902b7") });
    for (const meta of [traced("00f067aa0ba902b8"), malformed]) {
      const turn = session.prompt("go", { _meta: meta });
      expect(JSON.parse(await turn.readText())).toEqual({ session: traced("00f067aa0ba902b7"), prompt: meta });
    }
    const own = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "agent=1" };
    expect(asked).toEqual([{ read: own }, { permission: own }, { read: own }, { permission: own }]);
  } finally {
    await client.close();
  }
});

it("a message for a running turn keeps its trace context, whether the turn takes it or not", async () => {
  const seen: unknown[] = [];
  const agent = createAgent({
    whenBusy: "steer",
    async prompt(turn) {
      seen.push({ prompt: turn.meta });
      if (turn.promptText !== "wait") return;
      await new Promise<void>((resolve) => turn.onSteer(resolve));
      seen.push(...turn.takeSteers().map(({ meta }) => ({ steer: meta })));
      await new Promise<void>((resolve) => turn.onSteer(resolve));
    },
  });
  const session = await agent.newSession({ cwd: folder });
  const first = session.prompt("wait");
  for (const span of ["00f067aa0ba902b7", "00f067aa0ba902b8"]) {
    await new Promise((resolve) => setImmediate(resolve));
    void session.prompt("more", { meta: traced(span) });
  }
  await first;
  await expect.poll(() => seen).toHaveLength(3);
  expect(seen).toEqual([
    { prompt: undefined },
    { steer: traced("00f067aa0ba902b7") },
    { prompt: traced("00f067aa0ba902b8") },
  ]);
});
