import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSessionInUse, type KaiakSession } from "@editwire/kaiak";
import { dialKaiak } from "@editwire/kaiak/node";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { lineWith } from "../../../scripts/testing/lines.js";
import { bundle } from "../../../scripts/testing/bundle.js";
import { dialRaw, type Message, type RawPeer } from "./raw.js";

const programs = await bundle(import.meta.url, { server: "fixtures/server.ts", client: "fixtures/client.ts" });
const folder = mkdtempSync(join(tmpdir(), "editwire-kaiak-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const configuration = { workspace: { working_dir: folder } };
const incident = (message: string) => ({ id: "1", rule_id: "r", message });
let sockets = 0;

async function listening(path = join(folder, `${++sockets}.sock`)) {
  const child = spawn(process.execPath, [programs.server, path], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill());
  await once(child.stdout, "data");
  return { path, child };
}

async function dial(path: string) {
  const client = await dialKaiak(path);
  onTestFinished(() => client.close());
  await client.configure(configuration);
  return client;
}

/** Runs as soon as nobody else does: only the server knows when it has seen that another client is gone. */
async function runWhenFree(session: KaiakSession): Promise<string> {
  for (;;) {
    try {
      return await session.prompt([incident("go")]).stopReason;
    } catch (error) {
      if (!isSessionInUse(error)) throw error;
    }
  }
}

it("B29: a client that is killed while it is asked leaves its session free, and others undisturbed", async () => {
  const { path } = await listening();
  const client = await dial(path);
  const other = client.newSession({ sessionId: "other" }).prompt([incident("wait")]);
  const killed = spawn(process.execPath, [programs.client, path, "shared"], { stdio: ["ignore", "pipe", "ignore"] });
  await lineWith(killed.stdout, /^question$/);
  const session = client.newSession({ sessionId: "shared" });
  await expect(session.prompt([incident("go")]).stopReason).rejects.toSatisfy((error) => isSessionInUse(error));
  const exited = once(killed, "exit");
  killed.kill("SIGKILL");
  expect(await exited).toEqual([null, "SIGKILL"]);
  expect(await runWhenFree(session)).toBe("end_turn");
  expect(await session.delete()).toMatchObject({ status: "deleted" });
  await other.cancel();
  expect(await other.stopReason).toBe("cancelled");
});

it("B45: a server that is killed ends every run of every client, and its successor takes the socket", async () => {
  const { path, child } = await listening();
  const clients = [await dial(path), await dial(path)];
  const turns = clients.map((client, index) =>
    client.newSession({ sessionId: `s${index}` }).prompt([incident(index === 0 ? "wait" : "ask")]),
  );
  for (const [index, client] of clients.entries()) {
    const session = client.newSession({ sessionId: `s${index}` });
    await new Promise<void>((resolve) => session.subscribe(({ progress }) => progress !== undefined && resolve()));
  }
  child.kill("SIGKILL");
  for (const turn of turns) await expect(turn.stopReason).rejects.toMatchObject({ code: "closed" });
  for (const client of clients) expect(await client.closed).toBeInstanceOf(Error);
  await listening(path);
  expect(await (await dial(path)).newSession({ sessionId: "s0" }).prompt([incident("go")]).stopReason).toBe("end_turn");
});

it("B22, B26, B27: 50 sessions of five clients at once lose nothing, and leave no lock", async () => {
  const { path } = await listening();
  const peers = await Promise.all(Array.from({ length: 5 }, async () => (await dialRaw(path)).peer));
  const [first] = peers as [RawPeer];
  first.command("c", "kaiak/configure", { configuration });
  await first.reply("c");
  const own = peers.flatMap((peer, at) => Array.from({ length: 10 }, (_, index) => ({ peer, id: 10 * at + index })));
  for (const { peer, id } of own) peer.fix(id, `s${id}`, "go 20");
  for (const peer of peers) {
    const left = new Set(own.filter((one) => one.peer === peer).map(({ id }) => id));
    while (left.size > 0) left.delete((await peer.next(({ method }) => method === undefined)).id as number);
  }
  for (const { peer, id } of own) {
    const ofSession = ({ params, result }: Message) => (params ?? result)?.["session_id"] === `s${id}`;
    const messages = peer.messages.filter(ofSession);
    expect(messages).toHaveLength(1 + 1 + 3 + 21 + 1 + 1 + 1);
    expect(messages.at(-1)).toMatchObject({ id, result: { status: "completed" } });
    const ids = messages.slice(0, -1).map(({ params }) => params?.["message_id"]);
    expect(ids).toEqual(ids.map((_, index) => `msg-${index + 1}`));
    expect(peers.filter((each) => each !== peer && each.messages.some(ofSession))).toEqual([]);
  }
  for (const { id } of own) first.command(`d${id}`, "kaiak/delete_session", { session_id: `s${id}` });
  for (const { id } of own) expect((await first.reply(`d${id}`)).result).toMatchObject({ status: "deleted" });
});
