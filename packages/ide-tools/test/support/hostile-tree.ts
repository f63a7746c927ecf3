import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "./temp-folder.js";

const MiB = 1024 * 1024;

const javaClass = (name: string, body: string): string => `class ${name} {\n${body}\n}\n`;

/** Files that somebody could put into a repository to stop a tool. */
const contents: Readonly<Record<string, string | Uint8Array>> = {
  "a.txt": "one\ntwo\nthree\n",
  "line.txt": "a".repeat(10 * MiB),
  "lines.txt": "\n".repeat(4 * MiB),
  "periodic.txt": "ab".repeat(MiB),
  "cr.txt": "needle\r".repeat(MiB / 8),
  "backticks.md": "``` ".repeat(MiB / 4),
  "separators.txt": "needle \u2028 needle \u2029\u0085\v\f needle\n",
  "invalid.txt": new Uint8Array([0xff, 0xfe, 0xfd, 0x0a, 0x41]),
  "odd-utf16.txt": new Uint8Array([0xff, 0xfe, 0x41]),
  "utf16.txt": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("needle\0\n\uD83D", "utf16le")]),
  "mark.txt": "\uFEFF",
  "binary.bin": new Uint8Array(MiB),
  "empty.txt": "",
  "omitted.txt": "[Omitted long matching line]\nneedle: WARNING: stopped searching binary file after match\n",
  "new\nline/a:1\nb.txt": "needle\n",
  " spaces /\t.txt": "needle\n",
  "-flag/--json": "needle\n",
  [`${"n".repeat(200)}/${"é".repeat(100)}.txt`]: "needle\n",
  [`${"d/".repeat(200)}deep.txt`]: "needle\n",
  "rules/explode/.gitignore": `${"*a".repeat(60)}*b\n`.repeat(200),
  [`rules/explode/${"a".repeat(220)}`]: "needle\n",
  "rules/many/.gitignore": Array.from({ length: 60_000 }, (_, index) => `x${index}*y?\n`).join(""),
  "rules/brackets/.gitignore": `${"[".repeat(900)}\n!${"[!".repeat(400)}\n`.repeat(300),
  "rules/huge/.gitignore": "*\n".repeat(MiB),
  "rules/folder/.gitignore/a.txt": "needle\n",
  "rules/bytes/.gitignore": new Uint8Array([0xff, 0x5b, 0x5c, 0x0a, 0x00, 0x2a, 0x0a]),
  "src/Deep.java": javaClass("Deep", `void run() { return ${"(".repeat(30_000)}1${")".repeat(30_000)}; }`),
  "src/Chain.java": javaClass("Chain", `void run() { a${".b()".repeat(30_000)}; }`),
  "src/Nest.java": "class Nest {".repeat(20_000),
  "src/Wide.java": javaClass("Wide", "void run() { run(); }\n".repeat(20_000)),
  "src/Loop.java": "class Loop extends Loop { void run() { run(); } }\nclass A extends B {}\nclass B extends A {}\n",
  "src/Same.java": "class Same extends Same { void run() { new Same().run(); } }\n".repeat(2000),
  "src/calls.js": "f();\n".repeat(100_000),
  "src/open.py": `def f(:\n${" ".repeat(10_000)}(${"[".repeat(50_000)}`,
  "src/text.kt": `"\${`.repeat(20_000),
};

/** Makes a folder of such files, and of pipes, devices, links and files of a terabyte. */
export async function hostileTree(): Promise<string> {
  const root = await tempFolder(contents);
  const at = (...names: readonly string[]): string => join(root, ...names);
  for (const name of ["rules/pipe", "rules/device", "links"]) await mkdir(at(name), { recursive: true });
  execFileSync("mkfifo", [at("pipe"), at("pipe.java"), at("rules/pipe/.gitignore")]);
  await symlink("/dev/zero", at("rules/device/.gitignore"));
  await symlink("/dev/zero", at("links/zero.java"));
  await symlink("/proc/self/mem", at("links/mem.txt"));
  await symlink("loop", at("links/loop"));
  await symlink("..", at("links/up"));
  await symlink("/etc", at("links/etc"));
  await symlink("nowhere", at("links/nowhere.txt"));
  for (const name of ["sparse.txt", "src/Sparse.java"]) {
    await writeFile(at(name), "needle\n");
    await truncate(at(name), 2 ** 40);
  }
  await writeFile(at("locked.txt"), "needle\n");
  await chmod(at("locked.txt"), 0o000);
  return root;
}

/** Paths in the tree, and some that lead elsewhere. */
export const hostilePaths: readonly string[] = [
  ...Object.keys(contents),
  ...["pipe", "pipe.java", "links/zero.java", "links/mem.txt", "links/loop", "links/up/a.txt", "links/etc/passwd"],
  ...["links/nowhere.txt", "sparse.txt", "src/Sparse.java", "locked.txt", "rules/pipe/.gitignore", "links/loop/x"],
  ...["", ".", "..", "/", "a.txt/", "a.txt/x", "src", "\0", "a\0b", "/etc/passwd", "C:\\x", "../x", "x".repeat(300)],
  ...["new.txt", "new/deep/file.txt", `${"n/".repeat(2000)}x`, ".git/config", "\uD83D", "x".repeat(5000)],
];
