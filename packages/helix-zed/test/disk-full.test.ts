import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { expect, it, onTestFinished } from "vitest";
import { responseOf } from "../src/index.js";
import { sqliteStore } from "../src/sqlite.js";
import { answer, says, startHost } from "./support/hosts.js";

function open(file: string): Database.Database {
  const database = new Database(file);
  onTestFinished(() => void database.close());
  return database;
}

it("keeps an answer until a full disk has room, and leaves it to the next host when it is closed first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "helix-zed-disk-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "host.db");
  const database = open(file);
  const { host, dial, errors } = await startHost({ store: sqliteStore(database), saveMs: 1 });
  const agent = await dial();
  const session = await host.session("ses_1");
  const long = "x".repeat(1_048_576);

  const first = session.prompt("one");
  const asked = await agent.next("chat_message");
  database.exec("PRAGMA max_page_count = 1"); // SQLite takes the present size instead
  answer(agent, asked, "t", long);
  while (errors.length < 2) await new Promise(setImmediate);
  expect(String(errors[0])).toContain("full");
  database.exec("PRAGMA max_page_count = 100000");
  expect(responseOf(await first.interaction)).toBe(long);

  const second = session.prompt("two");
  const again = await agent.next("chat_message");
  database.exec("PRAGMA max_page_count = 1");
  const before = errors.length;
  answer(agent, again, "t", long);
  while (errors.length === before) await new Promise(setImmediate);
  await host.close();
  await expect(second.interaction).rejects.toMatchObject({ code: "closed" });

  const next = await startHost({ store: sqliteStore(open(file)) });
  const other = await next.dial();
  const repeated = await other.next("chat_message");
  expect(repeated.data).toMatchObject({ request_id: second.requestId, message: "two" });
  const watched = (await next.host.session("ses_1")).watch(second.requestId);
  other.send(says.added("t", "again"));
  other.send(says.completed("t", second.requestId));
  expect(responseOf(await watched.interaction)).toBe("again");
});
