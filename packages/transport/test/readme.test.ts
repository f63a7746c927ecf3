import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { client, agent, http, webSocket } = await bundle(import.meta.url, {
  client: "readme/client.ts",
  agent: "readme/agent.ts",
  http: "readme/http.ts",
  webSocket: "readme/web-socket.ts",
});

it("shows a client and an agent that talk", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [client, process.execPath, agent]);
  expect(stdout).toBe("{ echo: { hello: 'agent' } }\nclosed by this side\n");
  expect(stderr).toBe("closed by the other end\n");
});

it("shows a client and a server that talk over HTTP", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [http]);
  expect(stdout).toBe("{ echo: { hello: 'server' } }\nserver: closed by the other end\nclient: closed by this side\n");
  expect(stderr).toBe("");
});

it("shows a client and a server that talk over a WebSocket", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [webSocket]);
  expect(stdout.trim().split("\n").sort()).toEqual([
    "client: closed by this side",
    "server: closed by the other end",
    "{ echo: { hello: 'server' } }",
  ]);
  expect(stderr).toBe("");
});
