import { link, lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { replaceFile } from "../src/stores/replace-file.js";

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "replace-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

it("replaces or creates a file, and leaves nothing else behind", async () => {
  const root = await folder();
  const file = join(root, "a.txt");
  await replaceFile(file, "one");
  await replaceFile(file, "two", { before: await lstat(file, { bigint: true }) });
  await replaceFile(join(root, "b.txt"), "three", { before: null, mode: 0o600 });
  expect([await readFile(file, "utf8"), await readdir(root)]).toEqual(["two", ["a.txt", "b.txt"]]);
  if (process.platform !== "win32") expect((await lstat(join(root, "b.txt"))).mode & 0o777).toBe(0o600);
});

it("does not change another name of the file, and does not follow a link", async () => {
  const root = await folder();
  const [file, other, pointer] = [join(root, "a"), join(root, "b"), join(root, "c")];
  await writeFile(file, "old");
  await link(file, other);
  await symlink("b", pointer);
  await replaceFile(file, "new");
  await replaceFile(pointer, "in place of the link");
  expect(await Promise.all([file, other, pointer].map((path) => readFile(path, "utf8")))).toEqual([
    ...["new", "old", "in place of the link"],
  ]);
});

it("refuses a file that is not as it was found", async () => {
  const root = await folder();
  const file = join(root, "a.txt");
  await writeFile(file, "one");
  const before = await lstat(file, { bigint: true });
  await writeFile(file, "other");
  await expect(replaceFile(file, "two", { before })).rejects.toMatchObject({ fault: "changed" });
  await rm(file);
  await expect(replaceFile(file, "two", { before })).rejects.toMatchObject({ fault: "changed" });
  await writeFile(file, "one");
  await expect(replaceFile(file, "two", { before })).rejects.toMatchObject({ fault: "changed" });
  await expect(replaceFile(file, "two", { before: null })).rejects.toMatchObject({ fault: "exists" });
  await expect(replaceFile(root, "two")).rejects.toMatchObject({ fault: "not_regular" });
  expect([await readFile(file, "utf8"), await readdir(root)]).toEqual(["one", ["a.txt"]]);
});

it("creates a file once for calls at the same time", async () => {
  const root = await folder();
  const file = join(root, "a.txt");
  const calls = Array.from({ length: 20 }, (_, index) => replaceFile(file, `${index}`, { before: null }));
  const settled = await Promise.allSettled(calls);
  const winners = settled.flatMap(({ status }, index) => (status === "fulfilled" ? [`${index}`] : []));
  expect(winners).toEqual([await readFile(file, "utf8")]);
  expect(await readdir(root)).toEqual(["a.txt"]);
});
