import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Case, defineCase } from "../../../../core/case.js";
import type { ClientContext } from "../../client-role.js";
import { declares, inFolder } from "./services.js";

const role = "client";
const read = "fs/read_text_file";
const write = "fs/write_text_file";
const poem = "one\nzwei – ② \nthree\nfour\n";
const trimmed = (content: unknown): string => String(content).replace(/\n$/, "");

const reads = async (t: ClientContext): Promise<void> =>
  t.needs(await declares(t, "fs", "readTextFile"), "the client does not declare fs.readTextFile");
const writes = async (t: ClientContext): Promise<void> =>
  t.needs(await declares(t, "fs", "writeTextFile"), "the client does not declare fs.writeTextFile");

/** The client's files, which an agent uses. */
export const fileCases: readonly Case[] = [
  defineCase<ClientContext>(
    {
      id: "acp.client.files.read",
      role,
      title: "an agent reads a file, whole and in part",
      emits: ["ACP-FS-001", "ACP-FS-002"],
    },
    async (t) => {
      await reads(t);
      await inFolder(t, async ({ root, ask }) => {
        const path = join(root, "poem.txt");
        writeFileSync(path, poem);
        const { content } = await t.require("ACP-FS-001", ask(read, { path }));
        t.check("ACP-FS-001", content === poem, { expected: poem, actual: content });
        for (const [part, expected] of [
          [{ line: 1 }, poem],
          [{ line: 3 }, "three\nfour\n"],
          [{ limit: 2 }, "one\nzwei – ② \n"],
          [{ line: 2, limit: 1 }, "zwei – ② \n"],
        ] as const) {
          const found = await t.require("ACP-FS-002", ask(read, { path, ...part }));
          // Whether the last line keeps its end is not said.
          t.check("ACP-FS-002", trimmed(found["content"]) === trimmed(expected), {
            message: JSON.stringify(part),
            expected,
            actual: found["content"],
          });
        }
      });
    },
  ),
  defineCase<ClientContext>(
    {
      id: "acp.client.files.write",
      role,
      title: "an agent writes a new file, and one that is there",
      emits: ["ACP-FS-003"],
    },
    async (t) => {
      await writes(t);
      await inFolder(t, async ({ root, ask }) => {
        for (const [name, before] of [
          ["new.txt", undefined],
          ["old.txt", "a text that is much longer than what is written in its place\n"],
        ] as const) {
          const path = join(root, name);
          if (before !== undefined) writeFileSync(path, before);
          await t.require("ACP-FS-003", ask(write, { path, content: poem }));
          const actual = existsSync(path) ? readFileSync(path, "utf8") : "no file";
          t.check("ACP-FS-003", actual === poem, { message: name, expected: poem, actual });
        }
      });
    },
  ),
  defineCase<ClientContext>(
    {
      id: "acp.client.files.outside",
      role,
      title: "an agent reads and writes outside of the session's folder",
      emits: ["ACP-FS-004"],
    },
    async (t) => {
      const may = { read: await declares(t, "fs", "readTextFile"), write: await declares(t, "fs", "writeTextFile") };
      t.needs(may.read || may.write, "the client does not declare fs");
      await inFolder(t, async ({ root, refused }) => {
        const outside = dirname(root);
        writeFileSync(join(outside, "secret.txt"), "secret");
        symlinkSync(outside, join(root, "link"), "junction");
        const folders = [outside, `${root}/..`, join(root, "link"), `${root}-2`];
        for (const folder of may.read ? folders.slice(0, 3) : [])
          await t.require("ACP-FS-004", refused(read, { path: `${folder}/secret.txt` }));
        for (const folder of may.write ? folders : []) {
          await t.require("ACP-FS-004", refused(write, { path: `${folder}/written.txt`, content: "written" }));
          const isThere = existsSync(`${folder}/written.txt`);
          t.check("ACP-FS-004", !isThere, { expected: "no file outside", actual: `${folder}/written.txt` });
        }
      });
    },
  ),
  defineCase<ClientContext>(
    { id: "acp.client.files.missing", role, title: "an agent reads a file that is not there", emits: ["ACP-FS-005"] },
    async (t) => {
      await reads(t);
      await inFolder(t, async ({ root, refused }) => {
        await t.require("ACP-FS-005", refused(read, { path: join(root, "missing.txt") }));
        await t.require("ACP-FS-005", t.alive());
      });
    },
  ),
  defineCase<ClientContext>(
    {
      id: "acp.client.files.unadvertised",
      role,
      title: "an agent uses files although the client does not offer them",
      emits: ["ACP-FS-006"],
    },
    async (t) => {
      const may = { read: await declares(t, "fs", "readTextFile"), write: await declares(t, "fs", "writeTextFile") };
      t.needs(!may.read || !may.write, "the client declares fs");
      await inFolder(t, async ({ root, refused }) => {
        const path = join(root, "there.txt");
        writeFileSync(path, "there");
        if (!may.read) await t.require("ACP-FS-006", refused(read, { path }));
        if (!may.write) await t.require("ACP-FS-006", refused(write, { path, content: "written" }));
        const actual = readFileSync(path, "utf8");
        t.check("ACP-FS-006", may.write || actual === "there", { expected: "the file as it was", actual });
      });
    },
  ),
];
