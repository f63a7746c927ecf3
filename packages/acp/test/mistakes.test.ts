import { defineProtocol, notification } from "@editwire/core";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { acpHandler, listenAcp, serveAcpStdio, spawnAcp } from "../src/node.js";
import { type AcpClient, connectAcp, serveAcp } from "../src/index.js";
import { acpPair } from "../src/testing.js";

/** A value that JavaScript can pass where TypeScript would not compile. */
const wrong = (value: unknown): never => value as never;
const agent = { prompt: async () => {} };
const open = async (): Promise<AcpClient> => (await acpPair(agent)).client;

function serveTwice(): void {
  const [transport] = memoryPair();
  serveAcp(transport, agent);
  serveAcp(transport, agent);
}

const mistakes: [string, () => unknown, string][] = [
  [
    "a dialect as a text, of a client",
    () => connectAcp(memoryPair()[0], { profile: wrong("v1") }),
    'connectAcp: expected profile to be an object such as acpProfiles.spec, received the string "v1"',
  ],
  [
    "a dialect as a text, of an agent",
    () => serveAcp(memoryPair()[0], agent, { profile: wrong("v1") }),
    'serveAcp: expected profile to be an object such as acpProfiles.spec, received the string "v1"',
  ],
  [
    "a transport that is served twice",
    serveTwice,
    "serveAcp: the transport has a connection already; create one transport for each connection",
  ],
  [
    "newSession()",
    async () => (await open()).newSession(wrong(undefined)),
    "newSession: expected options to be an object, received undefined",
  ],
  [
    "newSession({})",
    async () => (await open()).newSession(wrong({})),
    "newSession: expected cwd to be an absolute path, received undefined",
  ],
  [
    "mcpServers as a text",
    async () => (await open()).newSession({ cwd: "/", mcpServers: wrong("files") }),
    'newSession: expected mcpServers to be an array, received the string "files"',
  ],
  [
    "prompt(5)",
    async () => (await (await open()).newSession({ cwd: "/" })).prompt(wrong(5)),
    "session.prompt: expected a string or an array of content blocks, received the number 5",
  ],
  [
    "permission that is not a function",
    () => connectAcp(memoryPair()[0], { permission: wrong("allow_once") }),
    'connectAcp: expected permission to be a function or "manual", received the string "allow_once"',
  ],
  [
    "a misspelled option",
    () => connectAcp(memoryPair()[0], wrong({ permissions: () => "allow_once" })),
    "connectAcp: expected no option permissions; did you mean permission?",
  ],
  ...(
    [
      ["permisions", "permission"],
      ["onErorr", "onError"],
      ["timoutMs", "timeoutMs"],
      ["terminls", "terminals"],
    ] as const
  ).map(([key, meant]): [string, () => unknown, string] => [
    `the option ${key}`,
    () => connectAcp(memoryPair()[0], wrong({ [key]: undefined })),
    `connectAcp: expected no option ${key}; did you mean ${meant}?`,
  ]),
  [
    "a file system that does not read",
    () => connectAcp(memoryPair()[0], { fs: { readTextFile: wrong(3) } }),
    "connectAcp: expected fs.readTextFile to be a function, received the number 3",
  ],
  [
    "a signal that is a text",
    () => connectAcp(memoryPair()[0], { signal: wrong("SIGTERM") }),
    'connectAcp: expected signal to be an object, received the string "SIGTERM"',
  ],
  [
    "an extension's notification from an unknown role",
    () =>
      defineProtocol({
        name: "acme",
        version: "1",
        roles: ["client", "agent"],
        methods: { "_acme/x": notification({ from: wrong("server"), params: z.object({}) }) },
      }),
    'acme: method "_acme/x" is sent by the unknown role "server"',
  ],
];

it.each(mistakes)("%s is named", async (_name, make, message) => {
  await expect((async () => make())()).rejects.toThrow(new TypeError(message));
});

describe("an agent without prompt is refused by", () => {
  it.each<[string, () => unknown]>([
    ["serveAcp", () => serveAcp(memoryPair()[0], wrong({}))],
    ["serveAcpStdio", () => serveAcpStdio(wrong({}))],
    ["listenAcp", () => listenAcp(wrong({}))],
    ["acpHandler", () => acpHandler(wrong({}))],
    ["acpHandler", () => acpHandler(wrong({}))],
  ])("%s", async (_name, serve) => {
    await expect((async () => serve())()).rejects.toThrow(
      /^\w+: expected the agent to have a function prompt\(turn\), received undefined$/,
    );
  });
});

it("an agent that writes nothing but noise is quoted", async () => {
  const noisy = [process.execPath, "-e", 'console.log("Starting my agent v1"); setInterval(() => {}, 1_000);'];
  await expect(spawnAcp(noisy, { timeoutMs: 2_000 })).rejects.toThrow(
    /^initialize: .*; what it wrote is not ACP: .*Starting my agent v1/,
  );
});

it("names an MCP server that is not an object", async () => {
  const opening = (await open()).newSession({ cwd: "/", mcpServers: [wrong(null)] });
  await expect(opening).rejects.toThrow("session/new: params.mcpServers.0: expected object, received null");
});
