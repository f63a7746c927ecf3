import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listenAcp } from "@editwire/acp/node";
import { afterEach, describe, expect, test } from "vitest";
import { acp, runConformance, streamableTarget } from "../src/index.js";
import { Trace } from "../src/trace/trace.js";

const { streamable } = acp;
if (streamable === undefined) throw new TypeError("ACP has Streamable HTTP");
const targetAt = (url: string) => streamableTarget({ url: `${url}${streamable.path}`, headers: streamable });
const closing: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(closing.splice(0).map((close) => close()))));

describe("Streamable HTTP", () => {
  test("carries whole turns on the streams of their sessions, and ends connections", async () => {
    const listener = await listenAcp({
      info: { name: "a", version: "1" },
      prompt: async (turn) => turn.text("ok"),
    });
    closing.push(() => listener.close());
    const report = await runConformance({
      protocol: acp,
      role: "agent",
      profile: "v1",
      target: targetAt(listener.url),
      behaviors: "commands",
      filter: ["acp.agent.session.new", "acp.agent.turn.next", "acp.agent.rpc.id-*", "acp.agent.initialize.*"],
    });
    expect(report.cases.filter(({ verdict }) => verdict !== "pass").map(({ id, reason }) => [id, reason])).toEqual([]);
    expect(report).toMatchObject({ exitCode: 0, run: { transport: "streamable" } });
  });

  test("takes a refusal by a status for an error, with the id of the request", async () => {
    const server = createServer((_request, response) => void response.writeHead(404).end("nothing here"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(async () => void server.close());
    const trace = new Trace();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const link = await targetAt(url).open({ trace, framing: "line", faults: [], graceMs: 100, env: {} });
    const answered = new Promise((resolve) =>
      trace.subscribe((entry) => entry.kind === "message" && entry.from === "target" && resolve(entry.message)),
    );
    link.send({ jsonrpc: "2.0", id: "first", method: "initialize", params: {} });
    expect(await answered).toEqual({ jsonrpc: "2.0", id: "first", error: { code: -32602, message: "HTTP 404" } });
    await link.close();
  });

  test("a server that is not there ends the connection", async () => {
    const link = await targetAt("http://127.0.0.1:9").open({
      trace: new Trace(),
      framing: "line",
      faults: [],
      graceMs: 100,
      env: {},
    });
    link.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    expect((await link.ended).reason).toContain("a POST failed");
    await link.close();
  });
});
