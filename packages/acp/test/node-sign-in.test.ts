import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AcpAgent, isAuthRequired, serveAcp } from "../src/index.js";
import {
  type AcpSignIn,
  inheritedTerminal,
  spawnAcp,
  type AcpSpawnOptions,
  type SpawnedAcpClient,
} from "../src/node.js";
import { commands } from "./commands.js";
import { officialPair } from "./official-pair.js";
import { textOf } from "./turns.js";

const cwd = process.cwd();

/** Runs the agent's program as an editor's terminal would. */
const terminal: NonNullable<AcpSignIn["terminal"]> = ({ argv: [command = "", ...args], env }) =>
  new Promise((resolve) => {
    execFile(command, args, { env: { ...env } }).once("exit", (code) => resolve(code));
  });

async function start(options: AcpSpawnOptions = {}): Promise<{ agent: SpawnedAcpClient; store: string }> {
  const folder = await mkdtemp(join(tmpdir(), "editwire-sign-in-"));
  const store = join(folder, "account");
  const agent = await spawnAcp(commands.signInAgent, { ...options, env: { STORE: store, ...options.env } });
  onTestFinished(async () => {
    await agent.close();
    await rm(folder, { recursive: true });
  });
  return { agent, store };
}

async function accountOf(agent: SpawnedAcpClient): Promise<string> {
  onTestFinished(() => agent.close());
  return textOf((await agent.newSession({ cwd })).prompt("who?"));
}

describe("signing in to a spawned agent", () => {
  it("V29: is demanded with -32000, and works by a method that the agent handles itself", async () => {
    const { agent } = await start();
    const refused = await agent.newSession({ cwd }).catch((error: unknown) => error);
    expect([isAuthRequired(refused), refused]).toMatchObject([true, { code: -32000 }]);
    expect(await agent.signIn("page")).toBe(agent);
    expect(await accountOf(agent)).toBe("page|end_turn");
  });

  it.each([
    ["a terminal of the editor", terminal],
    ["the terminal of this process", inheritedTerminal],
  ])("runs the agent's program at %s, with its arguments and variables, and starts the agent again", async (_, run) => {
    const { agent, store } = await start({ signIn: { terminal: run }, env: { OTHER: "kept" } });
    expect(agent.info.authMethods?.map(({ id }) => id)).toEqual(["page", "tui", "key", "smoke"]);
    const signedIn = await agent.signIn("tui");
    expect(await readFile(store, "utf8")).toBe("ada");
    expect(await accountOf(signedIn)).toBe("stored kept|end_turn");
    await agent.closed;
  });

  it("stays as it was when the program fails, and never passes its method to authenticate", async () => {
    const { agent, store } = await start({ signIn: { terminal }, env: { FAILS: "1" } });
    await expect(agent.signIn("tui")).rejects.toMatchObject({ code: "closed", data: { exitCode: 3 } });
    expect(existsSync(store)).toBe(false);
    await expect(agent.authenticate("tui")).rejects.toMatchObject({ code: "invalid_params" });
    await expect(agent.newSession({ cwd })).rejects.toMatchObject({ code: -32000 });
  });

  it("starts the agent again with the values that the user gave, and with no others", async () => {
    const asked: unknown[] = [];
    const variables: NonNullable<AcpSignIn["variables"]> = async (wanted) => {
      asked.push(...wanted);
      return { FIXTURE_KEY: "k-1", OTHER: "not asked for" };
    };
    const { agent } = await start({ signIn: { variables } });
    expect(await accountOf(await agent.signIn("key"))).toBe("k-1|end_turn");
    expect(asked).toEqual([
      { name: "FIXTURE_KEY", label: "Key", secret: true, optional: false },
      { name: "REGION", label: "REGION", secret: false, optional: true },
    ]);
  });

  it.each([
    ["nobody", {}, "invalid_params", "the agent does not offer it"],
    ["tui", {}, "invalid_params", "the agent does not offer it"], // not declared, so not offered
    ["smoke", {}, "invalid_params", 'this version does not know the type "smoke"'],
    ["key", {}, "invalid_params", "the options have no signIn.variables"],
    ["key", { variables: async () => undefined }, "aborted", "the user did not answer"],
    ["key", { variables: async () => ({ REGION: "eu" }) }, "invalid_params", "FIXTURE_KEY has no value"],
  ] as [string, AcpSignIn, string, string][])(
    "by %s with %j is refused: %s, %s",
    async (methodId, signIn, code, message) => {
      const { agent } = await start({ signIn });
      await expect(agent.signIn(methodId)).rejects.toMatchObject({ code, message: `signIn: ${methodId}: ${message}` });
      expect(await agent.signIn("page")).toBe(agent);
    },
  );
});

it("V29: our agent offers a terminal to the official client only where it is declared", async () => {
  const served: AcpAgent = {
    authMethods: [
      { id: "page", name: "Page" },
      { id: "tui", name: "Terminal", type: "terminal" },
    ],
    prompt: async () => "end_turn",
  };
  const offered = async (auth: object): Promise<unknown> => {
    const { official, ours } = officialPair();
    serveAcp(ours, served);
    const { agent } = client({ name: "official" }).connect(official);
    const { authMethods } = (await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { auth },
    })) as { authMethods: { id: string }[] };
    const codes = ["page", "tui", "nobody"].map((methodId) =>
      agent.request(methods.agent.authenticate, { methodId }).then(
        () => "signed in",
        (error: { code: number }) => error.code,
      ),
    );
    return [authMethods.map(({ id }) => id), ...(await Promise.all(codes))];
  };
  expect(await offered({})).toEqual([["page"], "signed in", -32602, -32602]);
  expect(await offered({ terminal: true })).toEqual([["page", "tui"], "signed in", -32602, -32602]);
});
