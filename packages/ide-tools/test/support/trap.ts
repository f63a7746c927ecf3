import { readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type IdeTools, type IdeToolsOptions, openIdeTools } from "../../src/tools.js";
import { tempFolder } from "./temp-folder.js";

/** A project with a secret beside it, and links in it that lead there. */
export interface Trap {
  readonly root: string;
  readonly tools: IdeTools;
  /** Fails unless the files outside are as they were, and the answer has nothing of them. */
  expectUntouched(answer: string): Promise<void>;
}

/** A line that occurs in files outside only. */
export const secret = "TOPSECRET_0xC0FFEE";

/** Opens the tools on a folder that another folder with a secret stands beside. */
export async function openTrap(options: IdeToolsOptions = {}): Promise<Trap> {
  const outside = await tempFolder({
    "secret.txt": `${secret}\n`,
    "Secret.java": `class Secret { void ${secret}() {} }\n`,
  });
  const root = await tempFolder({
    "a.txt": "inside\n",
    "dir/b.txt": "deep\n",
    "dir/A.java": "class A { void run() {} }\n",
  });
  await symlink(join(outside, "secret.txt"), join(root, "link.txt"));
  await symlink(join(outside, "Secret.java"), join(root, "Linked.java"));
  await symlink(outside, join(root, "linked-dir"));
  await symlink(join(outside, "new.txt"), join(root, "dangling.txt"));
  const tools = await openIdeTools(root, options);
  return {
    root,
    tools,
    async expectUntouched(answer) {
      expect(answer).not.toContain(secret);
      expect(answer).not.toContain(outside);
      expect(answer).not.toContain(root);
      expect((await readdir(outside)).sort()).toEqual(["Secret.java", "secret.txt"]);
      expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe(`${secret}\n`);
    },
  };
}

/** The path attacks, relative to the project's folder. `outside` is the name of the folder beside it. */
export const attacks = [
  "../secret.txt",
  "dir/../../secret.txt",
  "..",
  "/etc/passwd",
  "C:\\secret.txt",
  "C:secret.txt",
  "..\\secret.txt",
  "dir\\..\\..\\secret.txt",
  "//server/share/secret.txt",
  "\\\\server\\share\\secret.txt",
  "a.txt\0.java",
  "link.txt",
  "linked-dir/secret.txt",
  "linked-dir/new/file.txt",
  "dangling.txt",
  "",
];

/** The report or the error of a call, as the caller sees it. */
export async function answerOf(call: Promise<string>): Promise<{ readonly isError: boolean; readonly text: string }> {
  try {
    return { isError: false, text: await call };
  } catch (error) {
    expect(error).toMatchObject({ name: "ToolError" });
    return { isError: true, text: (error as Error).message };
  }
}
