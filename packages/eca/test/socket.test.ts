import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { EcaServer } from "../src/index.js";
import { dialEca, listenEca } from "../src/node.js";

async function socketPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "eca-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "eca.sock");
}

it("a listener makes a server for each of its clients", async () => {
  const path = await socketPath();
  let made = 0;
  const make = (): EcaServer => {
    const number = (made += 1);
    return { prompt: (turn) => void turn.text(`server ${number}`) };
  };
  const listener = await listenEca(make, { path });
  onTestFinished(() => listener.close());
  expect(listener.address).toEqual({ path });
  const texts: string[] = [];
  for (const _ of [1, 2]) {
    const client = await dialEca(path);
    onTestFinished(() => client.close());
    for await (const event of client.newSession().prompt("hello")) if (event.type === "text") texts.push(event.text);
  }
  expect(texts).toEqual(["server 1", "server 2"]);
});

it("a line between two messages is skipped, as on stdio", async () => {
  const path = await socketPath();
  const skipped: unknown[] = [];
  const listener = await listenEca(() => ({ prompt() {} }), { path, onError: (error) => skipped.push(error) });
  onTestFinished(() => listener.close());
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  const message = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { capabilities: {}, workspaceFolders: [] },
  });
  socket.write(`a log line\n\nContent-Length: ${message.length}\r\n\r\n${message}`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toContain('"id":1,"result"');
  expect(skipped).toMatchObject([{ data: { excerpt: "a log line" } }]);
});

it("a server that cannot be made ends its connection, and is reported", async () => {
  const path = await socketPath();
  const errors: unknown[] = [];
  const make = (): EcaServer => {
    throw new Error("no model");
  };
  const listener = await listenEca(make, { path, onError: (error) => errors.push(error) });
  onTestFinished(() => listener.close());
  await expect(dialEca(path)).rejects.toMatchObject({ code: "closed" });
  expect(errors).toEqual([new Error("no model")]);
});

it("a dial names the path at which nobody listens", async () => {
  const path = await socketPath();
  await expect(dialEca(path)).rejects.toThrow(`cannot connect to ${path}: connect ENOENT`);
});
