import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Case } from "../../../../core/run/case.js";
import { defineCases, type ClientContext } from "../../client-role.js";
import { declares, inFolder } from "./services.js";

const read = "fs/read_text_file";
const write = "fs/write_text_file";
const poem = "one\nzwei – ② \nthree\nfour\n";
const trimmed = (content: unknown): string => String(content).replace(/\n$/, "");

const reads = async (t: ClientContext): Promise<void> =>
  t.needs(await declares(t, "fs", "readTextFile"), "the client does not declare fs.readTextFile");
const writes = async (t: ClientContext): Promise<void> =>
  t.needs(await declares(t, "fs", "writeTextFile"), "the client does not declare fs.writeTextFile");

/** The client's files, which an agent uses. */
export const fileCases: readonly Case[] = defineCases({
  "files.read": {
    title: "an agent reads a file, whole and in part",
    emits: ["ACP-FS-001", "ACP-FS-002"],
    async run(t) {
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
  },
  "files.write": {
    title: "an agent writes a new file and an existing one",
    emits: ["ACP-FS-003", "ACP-FS-001"],
    async run(t) {
      await writes(t);
      const readable = await declares(t, "fs", "readTextFile");
      await inFolder(t, async ({ root, ask }) => {
        for (const [name, before] of [
          ["old.txt", "a text that is much longer than what is written in its place\n"],
          ["new.txt", undefined],
        ] as const) {
          const path = join(root, name);
          const content = `${name}\n${poem}`;
          if (before !== undefined) {
            writeFileSync(path, before);
            if (readable) await ask(read, { path });
          }
          await t.require("ACP-FS-003", ask(write, { path, content }));
          const actual = existsSync(path) ? readFileSync(path, "utf8") : "no file";
          t.check("ACP-FS-003", actual === content, { message: name, expected: content, actual });
          if (!readable || !existsSync(path)) continue;
          const readAgain = await t.require("ACP-FS-001", ask(read, { path }));
          t.check("ACP-FS-001", readAgain["content"] === actual, {
            message: `${name}, as written`,
            expected: actual,
            actual: readAgain["content"],
          });
        }
      });
    },
  },
  "files.outside": {
    title: "an agent reads and writes outside the session's folder",
    emits: ["ACP-FS-004"],
    async run(t) {
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
  },
  "files.missing": {
    title: "an agent reads a file that does not exist",
    emits: ["ACP-FS-005"],
    async run(t) {
      await reads(t);
      await inFolder(t, async ({ root, refused }) => {
        await t.require("ACP-FS-005", refused(read, { path: join(root, "missing.txt") }));
        await t.require("ACP-FS-005", t.alive());
      });
    },
  },
  "files.unadvertised": {
    title: "an agent uses files although the client does not offer them",
    emits: ["ACP-FS-006"],
    async run(t) {
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
  },
});
