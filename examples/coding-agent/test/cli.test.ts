import { acpProfiles } from "@editwire/acp";
import { ecaProfiles } from "@editwire/eca";
import { CommanderError } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AgentSettings, createProgram } from "../src/cli.js";
import { openEndpoint } from "../src/endpoint.js";
import { costOf } from "../src/prices.js";

beforeEach(() => {
  for (const name of ["OPENAI_BASE_URL", "OPENAI_API_KEY", "CODING_AGENT_MODEL", "ACP_TOKEN"])
    vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

async function parse(...args: string[]): Promise<AgentSettings> {
  let settings: AgentSettings | undefined;
  const program = createProgram(async (parsed) => void (settings = parsed));
  for (const command of [program, ...program.commands]) command.exitOverride().configureOutput({ writeErr: () => {} });
  await program.parseAsync(args, { from: "user" });
  if (settings === undefined) throw new Error("nothing was served");
  return settings;
}

describe("the command line", () => {
  it("serves ACP in the dialect of the client by default", async () => {
    const defaults = {
      model: undefined,
      baseUrl: undefined,
      apiKey: undefined,
      chunkDelayMs: 0,
      contextTokens: 128_000,
      secrets: [],
      verbose: false,
      whenBusy: "reject",
      fronts: [{ protocol: "acp" }],
    };
    expect(await parse()).toEqual(defaults);
    expect(await parse("acp")).toEqual(defaults);
    expect(await parse("--profile", "v1", "--chunk-delay", "15")).toEqual({
      ...defaults,
      fronts: [{ protocol: "acp", profile: acpProfiles.v1 }],
      chunkDelayMs: 15,
    });
    expect((await parse("kaiak", "--verbose")).verbose).toBe(true);
    expect((await parse("--input-price", "2.5")).prices).toEqual({ input: 2.5, output: 0 });
  });

  it("serves over HTTP when asked to, with the token from the environment or the option before that", async () => {
    const listen = { host: "127.0.0.1", port: 9000, token: undefined, over: "sse" };
    expect((await parse("acp", "serve")).fronts).toEqual([{ protocol: "acp", listen }]);
    vi.stubEnv("ACP_TOKEN", "from-env");
    expect(await parse("acp", "serve", "--port", "0", "--host", "::1", "--profile", "v1")).toMatchObject({
      fronts: [{ profile: acpProfiles.v1, listen: { host: "::1", port: 0, token: "from-env" } }],
      secrets: ["from-env"],
    });
    expect(await parse("acp", "serve", "--token", "t", "--over", "streamable")).toMatchObject({
      fronts: [{ listen: { token: "t", over: "streamable" } }],
      secrets: ["t"],
    });
    expect((await parse("acp")).fronts).toEqual([{ protocol: "acp" }]);
  });

  it("serves the other protocols, one or several at once", async () => {
    expect((await parse("eca", "server", "--log-level", "debug", "--profile", "v2026")).fronts).toEqual([
      { protocol: "eca", profile: ecaProfiles.v2026, watchParent: true },
    ]);
    expect((await parse("kaiak")).fronts).toEqual([{ protocol: "kaiak" }]);
    expect((await parse("kaiak", "--socket", "k")).fronts).toEqual([{ protocol: "kaiak", socket: "k" }]);
    expect(await parse("helix-zed", "--url", "http://127.0.0.1:1", "--token", "t")).toMatchObject({
      fronts: [{ protocol: "helix-zed", url: "http://127.0.0.1:1", token: "t", permission: "reject", cwd: "." }],
      secrets: ["t"],
    });
    const all = ["--acp", "0", "--eca", "e", "--kaiak", "k", "--helix-zed", "http://127.0.0.1:1"];
    const { fronts, idePort, store, whenBusy } = await parse(
      "serve",
      ...all,
      "--ide-port",
      "0",
      "--store",
      "s",
      "--token",
      "t",
    );
    expect(fronts.map(({ protocol }) => protocol)).toEqual(["acp", "eca", "kaiak", "helix-zed"]);
    expect([idePort, store, whenBusy]).toEqual([0, "s", "steer"]);
  });

  it("takes the model from the environment, and the option before that", async () => {
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
    vi.stubEnv("OPENAI_API_KEY", "sk-x");
    vi.stubEnv("CODING_AGENT_MODEL", "small");
    expect(await parse()).toMatchObject({ baseUrl: "http://127.0.0.1:1/v1", apiKey: "sk-x", model: "small" });
    expect(await parse("--model", "large", "--base-url", "https://models.test/v1")).toMatchObject({
      baseUrl: "https://models.test/v1",
      model: "large",
    });
  });

  it("takes an empty variable for an absent one", async () => {
    for (const name of ["OPENAI_BASE_URL", "OPENAI_API_KEY", "CODING_AGENT_MODEL"]) vi.stubEnv(name, "");
    expect(await parse()).toMatchObject({ baseUrl: undefined, apiKey: undefined, model: undefined });
  });

  it.each([
    [["--profile", "v9"], /Allowed choices are spec, v1/],
    [["--chunk-delay", "soon"], /Expected a number of milliseconds/],
    [["--base-url", "localhost"], /Expected an http or https URL/],
    [["acp", "other"], /Allowed choices are serve/],
    [["serve", "more"], /too many arguments/],
    [["acp", "--port", "9000"], /--host and --port are options of acp serve/],
    [["acp", "serve", "--port", "http"], /Expected a port number/],
    [["acp", "serve", "--port", "65536"], /Expected a port number/],
    [["--unknown"], /unknown option/],
  ])("refuses %j", async (args, message) => {
    const error: unknown = await parse(...args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CommanderError);
    expect(String(error)).toMatch(message);
  });
});

describe("the model endpoint", () => {
  const settings = { baseUrl: undefined, apiKey: undefined, model: undefined, chunkDelayMs: 0 };

  it("is the scripted model on loopback when nothing is set", async () => {
    const endpoint = await openEndpoint({ ...settings, model: "ignored" });
    expect(endpoint).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
      model: "scripted",
    });
    expect((await fetch(`${endpoint.baseUrl}/models`)).status).toBe(200);
    await endpoint.close();
    await expect(fetch(`${endpoint.baseUrl}/models`)).rejects.toThrow();
  });

  it("is what is set, with or without a key", async () => {
    expect(await openEndpoint({ ...settings, baseUrl: "http://127.0.0.1:1/v1", model: "m" })).toMatchObject({
      baseUrl: "http://127.0.0.1:1/v1",
      apiKey: "no-key",
    });
    expect(await openEndpoint({ ...settings, apiKey: "sk-x", model: "m" })).toMatchObject({
      baseUrl: "https://api.openai.com/v1",
      apiKey: "sk-x",
    });
    await expect(openEndpoint({ ...settings, apiKey: "sk-x" })).rejects.toThrow(
      "Name the model, with --model or CODING_AGENT_MODEL",
    );
  });
});

it("counts costs where the price is known", () => {
  const tokens = { input: 2_000_000, output: 500_000 };
  expect(costOf(tokens, { input: 2.5, output: 10 })).toEqual({ amount: 10, currency: "USD" });
  expect(costOf(tokens, undefined)).toBeUndefined();
});
