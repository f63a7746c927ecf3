import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";
import { UsageError } from "../core/errors.js";
import { packageRoot } from "../core/registry/package-root.js";
import { modelBehaviors } from "../model/behave.js";
import type { ToolMap } from "../model/tools.js";

/**
 * How a target that is backed by a language model is started with the scripted one. In `command`, `env` and `files`,
 * `{openai}`, `{anthropic}`, `{gemini}` and `{ollama}` stand for base URLs, `{home}` for a folder of this launch alone
 * and `{model}` for a model's name.
 */
export interface Recipe {
  readonly name: string;
  /** The program to start when the command line names no other. */
  readonly command?: readonly string[] | undefined;
  /** Where it is started. In the file it counts from the file's folder. */
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Files to write below `{home}`, such as settings: a text, or JSON. */
  readonly files: Readonly<Record<string, unknown>>;
  /** Its tools by kind. */
  readonly tools: ToolMap;
  /** The behaviors that the target shows when its model asks for them. */
  readonly behaviors: readonly string[];
}

const File = z.strictObject({
  $comment: z.string().optional(),
  command: z.array(z.string()).min(1).optional(),
  cwd: z.string().optional(),
  env: z.record(z.string(), z.string()).default({}),
  files: z.record(z.string(), z.unknown()).default({}),
  tools: z
    .record(z.string(), z.strictObject({ name: z.string(), args: z.record(z.string(), z.unknown()) }))
    .default({}),
  /** Absent: everything that the scripted model can be asked for. */
  behaviors: z.array(z.enum(modelBehaviors)).default([...modelBehaviors]),
});

/**
 * Reads a recipe of the suite by its name, such as `coding-agent`, or a JSON file. Throws a `UsageError` that names the
 * fault.
 */
export function readRecipe(nameOrFile: string): Recipe {
  const own = join(packageRoot(), "targets");
  const known = join(own, `${nameOrFile}.json`);
  const file = /^[\w-]+$/.test(nameOrFile) && existsSync(known) ? known : resolve(nameOrFile);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const names = readdirSync(own)
      .map((name) => basename(name, ".json"))
      .sort();
    throw new UsageError(
      `expected a JSON file or one of ${names.join(", ")}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const { success, data, error } = File.safeParse(content);
  if (!success) throw new UsageError(`${file}: ${z.prettifyError(error)}`);
  const { $comment: _, cwd, ...rest } = data;
  return { ...rest, name: basename(file, ".json"), ...(cwd !== undefined && { cwd: resolve(dirname(file), cwd) }) };
}
