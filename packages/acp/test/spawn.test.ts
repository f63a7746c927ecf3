import { isWireError } from "@editwire/core";
import { afterEach, describe, expect, it } from "vitest";
import type { AcpClient, AcpTurnEvent } from "../src/index.js";
import { spawnAcp, type AcpSpawnOptions } from "../src/node.js";
import { commands } from "./commands.js";

let agent: AcpClient | undefined;
afterEach(() => agent?.close());

async function start(command: keyof typeof commands, options: AcpSpawnOptions = {}) {
  agent = await spawnAcp(commands[command], options);
  return { agent, session: await agent.newSession({ cwd: process.cwd() }) };
}

async function say(turn: AsyncIterable<AcpTurnEvent>): Promise<string> {
  let said = "";
  for await (const event of turn)
    said += event.type === "text" ? event.text : event.type === "stop" ? `|${event.stopReason}` : "";
  return said;
}

describe("a spawned agent", () => {
  it.each(["ndjson", "content-length"] as const)(
    "S02, S03, S06: answers a client that speaks %s, byte for byte",
    async (framing) => {
      const { agent, session } = await start("agent", { framing });
      expect(agent.info.agentInfo).toEqual({ name: "fixture", version: "1.0.0" });
      expect(await say(session.prompt("Grüße, 世界 🌍\n"))).toBe("Grüße, 世界 🌍\n|end_turn");
    },
  );

  it("S47: is read in whichever framing it answers", async () => {
    const { session } = await start("headerAgent");
    expect(await say(session.prompt("Welt"))).toBe("Grüße, Welt 🌍|end_turn");
  });

  it.each([
    ["allow_once" as const, "deleted|end_turn"],
    ["reject_once" as const, "kept|end_turn"],
  ])("asks for permission and obeys %s", async (decision, said) => {
    const { session } = await start("agent", { permission: async () => decision });
    expect(await say(session.prompt("permission"))).toBe(said);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("the channel is closed");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("the channel is closed");
      },
    ],
  ])("may write to an onStderr that %s", async (_how, onStderr: () => void) => {
    const errors: unknown[] = [];
    const script = "console.error('no key'); process.exitCode = 3";
    const started = spawnAcp([process.execPath, "-e", script], {
      onStderr,
      onError: (error) => void errors.push(error),
    });
    await expect(started).rejects.toThrow("exited with code 3: no key");
    expect(errors).toMatchObject([{ message: "the channel is closed" }]);
  });

  it("is ended when its start is given up", async () => {
    const giveUp = new AbortController();
    let pid = 0;
    const onStderr = (text: string): void => {
      pid = Number(text);
      giveUp.abort();
    };
    const mute = [process.execPath, "--eval", "console.error(process.pid); setInterval(() => {}, 1_000)"];
    const options = { onStderr, signal: giveUp.signal, graceMs: 100 };
    await expect(spawnAcp(mute, options)).rejects.toSatisfy((error) => isWireError(error, "aborted"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("P10: keeps stray console output off the wire", async () => {
    let stderr = "";
    const { agent, session } = await start("agent", { onStderr: (text) => (stderr += text) });
    expect(await say(session.prompt("noise"))).toBe("still fine|end_turn");
    await agent.close(); // stderr is a pipe of its own: it is read to its end by then
    expect(stderr).toContain("a stray line");
  });

  it("is cancelled in the middle of a turn", async () => {
    const { session } = await start("agent");
    const turn = session.prompt("wait");
    let said = "";
    for await (const event of turn) {
      if (event.type === "text") void turn.cancel();
      said += event.type === "stop" ? event.stopReason : event.type;
    }
    expect(said).toBe("textcancelled");
  });

  it("that dies ends its turn with the exit code and the end of its stderr", async () => {
    const { session } = await start("agent");
    const error: unknown = await say(session.prompt("die")).catch((reason: unknown) => reason);
    expect(isWireError(error, "closed")).toBe(true);
    expect(String(error)).toMatch(/session\/prompt: .* code 3: out of memory, as agents are/);
    expect(error).toMatchObject({
      data: { exitCode: 3, signal: null, stderr: expect.stringContaining("out of memory") as string },
    });
  });

  it("that does not exist is named in the error", async () => {
    await expect(spawnAcp(["no-such-agent-command"])).rejects.toThrow(/no-such-agent-command/);
  });
});
