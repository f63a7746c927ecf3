import { acpProfiles } from "@editwire/acp-schema";
import { CommanderError } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AcpSettings, createProgram } from "../src/cli.js";
import { openEndpoint } from "../src/endpoint.js";

beforeEach(() => {
  for (const name of ["OPENAI_BASE_URL", "OPENAI_API_KEY", "CODING_AGENT_MODEL", "ACP_TOKEN"])
    vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

async function parse(...args: string[]): Promise<AcpSettings> {
  let settings: AcpSettings | undefined;
  const program = createProgram(async (parsed) => void (settings = parsed));
  for (const command of [program, ...program.commands]) command.exitOverride().configureOutput({ writeErr: () => {} });
  await program.parseAsync(args, { from: "user" });
  if (settings === undefined) throw new Error("nothing was served");
  return settings;
}

describe("the command line", () => {
  it("serves ACP in the dialect of the client by default", async () => {
    const defaults = {
      profile: undefined,
      model: undefined,
      baseUrl: undefined,
      apiKey: undefined,
      chunkDelayMs: 0,
      contextTokens: 128_000,
    };
    expect(await parse()).toEqual(defaults);
    expect(await parse("acp")).toEqual(defaults);
    expect(await parse("--profile", "v1", "--chunk-delay", "15")).toEqual({
      ...defaults,
      profile: acpProfiles.v1,
      chunkDelayMs: 15,
    });
  });

  it("serves over HTTP when asked to, with the token from the environment or the option before that", async () => {
    expect((await parse("acp", "serve")).listen).toEqual({ host: "127.0.0.1", port: 9000, token: undefined });
    vi.stubEnv("ACP_TOKEN", "from-env");
    expect(await parse("acp", "serve", "--port", "0", "--host", "::1", "--profile", "v1")).toMatchObject({
      profile: acpProfiles.v1,
      listen: { host: "::1", port: 0, token: "from-env" },
    });
    expect(await parse("acp", "serve", "--token", "t")).toMatchObject({ listen: { token: "t" } });
    expect((await parse("acp")).listen).toBeUndefined();
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
    [["other"], /Allowed choices are serve/],
    [["serve", "more"], /too many arguments/],
    [["acp", "--port", "9000"], /--host and --port go with acp serve/],
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
