import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../scripts/testing/free-port.js";
import { bundlePrograms, Program } from "./programs.js";

let programs: Awaited<ReturnType<typeof bundlePrograms>>;
beforeAll(async () => {
  programs = await bundlePrograms();
});

interface Conversation {
  threadId: string | null;
  interactions: { requestId: string; state: string; message: string; messages: { content: string }[] }[];
}

async function setUp(profile: string) {
  const folder = mkdtempSync(join(tmpdir(), "helix-example-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startHost = async (): Promise<Program> => {
    const host = new Program([
      programs.main,
      "host",
      "--port",
      String(port),
      "--store",
      join(folder, "helix.db"),
      "--token",
      "s3cret",
      "--profile",
      profile,
    ]);
    expect(await host.firstLine()).toBe(url);
    return host;
  };
  const startAgent = (): Program =>
    new Program(
      [
        programs.main,
        "agent",
        "--url",
        url,
        "--token",
        "s3cret",
        "--profile",
        profile,
        "--cwd",
        folder,
        process.execPath,
        programs.acpAgent,
      ],
      { STORE: folder },
    );
  return {
    url,
    startHost,
    startAgent,
    /** Lets the agent's waiting prompts end. */
    go: () => writeFileSync(join(folder, "go"), ""),
    /** Has the ACP agent lose a session. */
    forget: (id: string) => rmSync(join(folder, `${id}.json`)),
    conversation: async (): Promise<Conversation> =>
      (await (await fetch(`${url}/sessions/ses_1`)).json()) as Conversation,
    /** Sends a message; its lines arrive as they are sent. */
    async *say(message: string, requestId: string): AsyncGenerator<Record<string, string>> {
      const response = await fetch(`${url}/sessions/ses_1/messages`, {
        method: "POST",
        body: JSON.stringify({ message, requestId }),
      });
      let text = "";
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        const lines = (text + new TextDecoder().decode(chunk)).split("\n");
        text = lines.pop() ?? "";
        for (const line of lines) yield JSON.parse(line) as Record<string, string>;
      }
    },
  };
}

async function last<T>(lines: AsyncIterable<T>): Promise<T | undefined> {
  let found: T | undefined;
  for await (const line of lines) found = line;
  return found;
}

const textOf = ({ messages }: Conversation["interactions"][number]): string =>
  messages.map(({ content }) => content).join("");

describe("the conversation goes on", () => {
  it("when the host is killed in the middle of a turn", async () => {
    const { startHost, startAgent, go, say, conversation } = await setUp("spec");
    const host = await startHost();
    startAgent();
    for await (const { text } of say("please wait", "r1")) {
      if (text === undefined) continue;
      expect(text).toBe("Prompt 1");
      break;
    }
    await host.kill();
    const again = await startHost();
    go();
    expect(await last(say("please wait", "r1"))).toEqual({ state: "complete" });
    expect(await last(say("and now?", "r2"))).toEqual({ state: "complete" });
    const { interactions } = await conversation();
    expect(interactions.map(({ requestId, state }) => `${requestId} ${state}`)).toEqual(["r1 complete", "r2 complete"]);
    expect(interactions.map(textOf)).toEqual([
      "Prompt 1, at last,**Count**\n(completed)\n of this session: please wait",
      "Prompt 2**Count**\n(completed)\n of this session: and now?",
    ]);
    expect(again.stderr.join("")).not.toContain("Error");
  });

  it("when the agent is killed in the middle of a turn", async () => {
    const { startHost, startAgent, go, say, conversation } = await setUp("v2026");
    await startHost();
    const agent = startAgent();
    const lines = say("please wait", "r1");
    for (let text: string | undefined; text === undefined; )
      ({ text } = (await lines.next()).value as Record<string, string>);
    const { threadId } = await conversation();
    await agent.kill();
    go();
    startAgent();
    expect(await last(lines)).toEqual({ state: "complete" });
    expect(await last(say("and now?", "r2"))).toEqual({ state: "complete" });
    const after = await conversation();
    expect(after.threadId).toBe(threadId);
    expect(after.interactions.map(({ requestId, state }) => `${requestId} ${state}`)).toEqual([
      "r1 complete",
      "r2 complete",
    ]);
    // The ACP agent was asked again, in the session that it had kept.
    expect(textOf(after.interactions[1] as never)).toContain("Prompt 3");
  });
});

it("a thread that the ACP agent has lost ends its message as an error; the next message begins a new one", async () => {
  const { startHost, startAgent, say, conversation, forget } = await setUp("v2026");
  await startHost();
  const agent = startAgent();
  expect(await last(say("remember this", "r1"))).toEqual({ state: "complete" });
  const { threadId } = await conversation();
  await agent.kill();
  forget(String(threadId));
  startAgent();
  expect(await last(say("what was it?", "r2"))).toEqual({ state: "error" });
  expect(await last(say("hello again", "r3"))).toEqual({ state: "complete" });
  const after = await conversation();
  expect(after.threadId).not.toBe(threadId);
  expect(textOf(after.interactions[2] as never)).toContain("Prompt 1");
});

it("the product's API says what it expects", async () => {
  const { startHost, url } = await setUp("spec");
  await startHost();
  const ask = async (path: string, init: RequestInit = {}): Promise<[number, unknown]> => {
    const response = await fetch(`${url}${path}`, init);
    return [response.status, await response.json()];
  };
  expect(await ask("/other")).toMatchObject([404, {}]);
  expect(await ask("/sessions/s", { method: "DELETE" })).toMatchObject([405, {}]);
  expect(await ask("/sessions/s/messages", { method: "POST", body: "{nope" })).toMatchObject([
    400,
    { error: "expected { message, requestId? }" },
  ]);
  expect(await ask("/sessions/s", { headers: { origin: "https://evil.example" } })).toMatchObject([403, {}]);
  expect(await ask("/sessions/%zz")).toMatchObject([404, {}]);
  expect(await ask("/sessions/s/messages", { method: "POST", body: "x".repeat(3 * 1024 * 1024) })).toMatchObject([
    413,
    {},
  ]);
  expect(await ask("/sessions/s/messages", { method: "POST", body: '{"message":"m","requestId":""}' })).toMatchObject([
    400,
    {},
  ]);
  expect(await ask("/sessions/s")).toEqual([200, { threadId: null, connected: false, interactions: [] }]);
});
