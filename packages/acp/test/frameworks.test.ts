import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { createWebSocketStream, type WebSocketConstructor } from "@agentclientprotocol/sdk/experimental/ws-client";
import type { Plugin } from "esbuild";
import { expect, describe, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { bundle } from "../../../scripts/testing/bundle.js";
import { dialAcp } from "../src/node.js";
import { httpPeer } from "./http-peer.js";
import { textOf } from "./turns.js";

const external = ["express", "fastify", "hono", "@hono/node-server"];
const recipes = await bundle(
  import.meta.url,
  {
    express: "readme/express.ts",
    fastify: "readme/fastify.ts",
    hono: "readme/hono.ts",
    expressSpec: "fixtures/express-spec.ts",
    fastifySpec: "fixtures/fastify-spec.ts",
    honoSpec: "fixtures/hono-spec.ts",
  },
  { external },
);

/** The recipes of Express in an application that parses JSON first, where they do not, and the other way around. */
const parsing = /^app\.use\(express\.json.*\n/m;
const otherParsing: Plugin = {
  name: "other-parsing",
  setup: ({ onLoad }) =>
    onLoad({ filter: /express(-spec)?\.ts$/ }, ({ path }) => {
      const recipe = readFileSync(path, "utf8");
      const contents = parsing.test(recipe)
        ? recipe.replace(parsing, "")
        : recipe.replace("const app = express();\n", (made) => `${made}app.use(express.json({ limit: "4mb" }));\n`);
      expect(contents).not.toBe(recipe);
      return { contents, loader: "ts" };
    }),
};
const programs = {
  ...recipes,
  ...(await bundle(
    import.meta.url,
    { expressSpecUnparsed: "fixtures/express-spec.ts", expressParsed: "readme/express.ts" },
    { external, plugins: [otherParsing] },
  )),
};

const cwd = "/work/project";
const token = "s3cret";
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const message = (fields: object): object => ({ jsonrpc: "2.0", ...fields });

/** Starts a recipe of the README. */
async function start(name: keyof typeof programs): Promise<{ url: string; until(line: string): Promise<void> }> {
  const server = spawn(process.execPath, [programs[name], "0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, IDLE_MS: "1000" },
  });
  onTestFinished(() => void server.kill());
  let output = "";
  server.stdout.setEncoding("utf8").on("data", (part: string) => (output += part));
  const until = async (text: string): Promise<void> => {
    while (!output.includes(text)) await once(server.stdout, "data");
  };
  await until("}\n");
  return { url: `http://127.0.0.1:${/port: (\d+)/.exec(output)?.[1]}`, until };
}

/** A client with a session that reads its event stream only when it is asked to. */
async function pausedClient(url: string) {
  const { post } = httpPeer(url, "1", headers);
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { body } = await fetch(`${url}/acp/sse?client_id=1`, { headers, signal: controller.signal });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  await post(message({ id: 1, method: "initialize", params: { protocolVersion: 1 } }));
  await post(message({ id: 2, method: "session/new", params: { cwd, mcpServers: [] } }));
  return {
    post: (fields: object) => post(message(fields)),
    /** Reads until the text fits, and gives all that was read. */
    async read(wanted: RegExp): Promise<string> {
      let recent = "";
      while (!wanted.test(recent)) {
        const { value } = await reader.read();
        const part = decoder.decode(value, { stream: true });
        text += part;
        recent = (recent + part).slice(-100_000);
      }
      return text;
    },
  };
}

describe.each(["expressSpec", "expressSpecUnparsed", "fastifySpec", "honoSpec"] as const)("an agent in %s", (name) => {
  it("answers prompts, and refuses a client without the token", async () => {
    const { url } = await start(name);
    const client = await dialAcp(url, { paths: "spec", token });
    onTestFinished(() => client.close());
    const session = await client.newSession({ cwd });
    const long = "Grüße 😀".repeat(30_000);
    expect(await textOf(session.prompt(long))).toBe(`You said: ${long}|end_turn`);
    await expect(dialAcp(url, { paths: "spec", token: "other" })).rejects.toThrow("401");
  });

  it("streams what it says, and notices a client that disconnects", async () => {
    const { url, until } = await start(name);
    const { post, open } = httpPeer(url, "1", headers);
    const stream = await open();
    await post(message({ id: 1, method: "initialize", params: { protocolVersion: 1 } }));
    await post(message({ id: 2, method: "session/new", params: { cwd, mcpServers: [] } }));
    const { result } = await stream.until(({ id }) => id === 2);
    const { sessionId } = result as { sessionId: string };
    const prompt = [{ type: "text", text: "wait" }];
    await post(message({ id: 3, method: "session/prompt", params: { sessionId, prompt } }));
    await stream.until(({ method }) => method === "session/update"); // while the turn runs
    stream.abort();
    await until("cancelled");
  });

  it("waits for a client that does not read", async () => {
    const { url } = await start(name);
    const { post, read } = await pausedClient(url);
    const sessionId = /"sessionId":"([^"]+)"/.exec(await read(/"sessionId":"[^"]+"/))?.[1];
    const prompt = [{ type: "text", text: "flood" }];
    await post({ id: 3, method: "session/prompt", params: { sessionId, prompt } });
    const other = await dialAcp(url, { paths: "spec", token });
    onTestFinished(() => other.close());
    const count = await other.newSession({ cwd });
    let sent = "";
    for (let i = 0; i < 100; i += 1) sent = await textOf(count.prompt("count"));
    expect(Number.parseInt(sent, 10)).toBeLessThan(128);
    expect((await read(/"stopReason":"end_turn"/)).match(/"session\/update"/g)).toHaveLength(128);
    expect(await textOf(count.prompt("count"))).toBe("128|end_turn");
  });
});

it("an agent in express is served over WebSockets too, and other paths are left alone", async () => {
  const url = (await start("express")).url.replace("http", "ws");
  const client = await dialAcp(url, { token });
  onTestFinished(() => client.close());
  const session = await client.newSession({ cwd });
  expect(await textOf(session.prompt("Hello"))).toBe("You said: Hello|end_turn");
  await expect(dialAcp(url, { token, path: "/other" })).rejects.toThrow("socket hang up");
});

describe("an agent for public editors", () => {
  it.each(["express", "expressParsed", "fastify", "hono"] as const)(
    "in %s is reached over Streamable HTTP",
    async (name) => {
      const { url } = await start(name);
      const client = await dialAcp(url, { token });
      onTestFinished(() => client.close());
      const long = "Grüße 😀".repeat(30_000);
      expect(await textOf((await client.newSession({ cwd })).prompt(long))).toBe(`You said: ${long}|end_turn`);
      await expect(dialAcp(url, { token: "other" })).rejects.toThrow("401");
    },
  );

  it.each(["express", "expressParsed", "fastify"] as const)(
    "in %s is reached over a WebSocket by the official SDK",
    async (name) => {
      const { url } = await start(name);
      const stream = createWebSocketStream(`${url.replace("http", "ws")}/acp`, {
        headers,
        WebSocket: WebSocket as unknown as WebSocketConstructor,
      });
      const said: unknown[] = [];
      await client({ name: "official" })
        .onNotification(methods.client.session.update, ({ params }) => void said.push(params.update))
        .connectWith(stream, async (agent) => {
          await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
          const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
          await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "Hello" }] });
        });
      expect(said).toMatchObject([{ content: { text: "You said: Hello" } }]);
    },
  );
});
