import { ecaProfiles } from "@editwire/eca-schema";
import { CommanderError } from "commander";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createProgram, type EcaSettings } from "../src/cli.js";
import { costOf } from "../src/prices.js";

beforeEach(() => {
  for (const name of ["OPENAI_BASE_URL", "OPENAI_API_KEY", "CODING_AGENT_MODEL", "ECA_MCP_CONFIG"])
    vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

async function parse(...args: string[]): Promise<EcaSettings> {
  let settings: EcaSettings | undefined;
  const program = createProgram(async (parsed) => void (settings = parsed))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await program.parseAsync(args, { from: "user" });
  if (settings === undefined) throw new Error("nothing was served");
  return settings;
}

const defaults = {
  profile: ecaProfiles.spec,
  model: undefined,
  baseUrl: undefined,
  apiKey: undefined,
  chunkDelayMs: 0,
  mcpConfig: undefined,
  prices: undefined,
  watchParent: true,
  ignored: [],
};

it("S43: is started as `server`, and passes over words of other servers", async () => {
  expect(await parse()).toEqual(defaults);
  expect(await parse("server")).toEqual(defaults);
  expect(await parse("server", "--log-level", "debug", "--verbose")).toMatchObject({
    ...defaults,
    ignored: ["--log-level", "debug", "--verbose"],
  });
});

it("takes the model, the MCP servers and the prices", async () => {
  vi.stubEnv("ECA_MCP_CONFIG", "/a/mcp.json");
  vi.stubEnv("CODING_AGENT_MODEL", "");
  expect(
    await parse(
      "server",
      "--base-url",
      "http://127.0.0.1:1/v1",
      "--input-price",
      "2.5",
      "--no-watch-parent",
      "--profile",
      "v2026",
    ),
  ).toEqual({
    ...defaults,
    profile: ecaProfiles.v2026,
    baseUrl: "http://127.0.0.1:1/v1",
    mcpConfig: "/a/mcp.json",
    prices: { input: 2.5, output: 0 },
    watchParent: false,
  });
});

it("refuses numbers and dialects that are none", async () => {
  await expect(parse("--profile", "v9")).rejects.toBeInstanceOf(CommanderError);
  await expect(parse("--chunk-delay", "soon")).rejects.toBeInstanceOf(CommanderError);
});

it("counts costs where the price is known", () => {
  expect(costOf({ input: 2_000_000, output: 500_000 }, { input: 2.5, output: 10 })).toBe(10);
  expect(costOf({ input: 1, output: 1 }, undefined)).toBeUndefined();
});
