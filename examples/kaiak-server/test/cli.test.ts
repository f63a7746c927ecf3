import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createProgram, type FixServerCommand } from "../src/cli.js";

beforeEach(() => {
  for (const name of ["OPENAI_BASE_URL", "OPENAI_API_KEY", "CODING_AGENT_MODEL"]) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

async function parse(...args: string[]): Promise<FixServerCommand | undefined> {
  let settings: FixServerCommand | undefined;
  const program = createProgram(async (parsed) => void (settings = parsed))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await program.parseAsync(args, { from: "user" });
  return settings;
}

const defaults = { socket: undefined, model: undefined, baseUrl: undefined, apiKey: undefined, chunkDelayMs: 0 };

it("serves on stdin and stdout, or on a socket", async () => {
  expect(await parse()).toEqual(defaults);
  expect(await parse("--stdio")).toEqual(defaults);
  expect(await parse("--socket", "/run/k.sock")).toEqual({ ...defaults, socket: "/run/k.sock" });
  await expect(parse("--stdio", "--socket", "/run/k.sock")).rejects.toThrow("cannot be used with");
});

it("takes the model from the environment, where an empty variable counts as absent", async () => {
  vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
  vi.stubEnv("CODING_AGENT_MODEL", "");
  expect(await parse("--chunk-delay", "5")).toEqual({
    ...defaults,
    baseUrl: "http://127.0.0.1:1/v1",
    chunkDelayMs: 5,
  });
  await expect(parse("--chunk-delay", "soon")).rejects.toThrow("Expected a number of milliseconds");
});
