import { type Dirent, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

/** Folders that hold no sources of the project, whether a `.gitignore` names them or not. */
const skippedFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** What a `.gitignore` says about the paths below its folder. */
interface Rules {
  readonly folder: string;
  readonly rules: Ignore;
}

/** A folder of a walk, with the rules that hold in it, the outermost first. */
interface Step {
  readonly folder: string;
  readonly rules: readonly Rules[];
}

/**
 * Lists the files below a folder of the root, as paths from the root with forward slashes, folder by folder. Links are
 * not followed, and `.git`, `node_modules` and what a `.gitignore` names are left out.
 */
export async function* walk(root: string, folder = "", signal?: AbortSignal): AsyncGenerator<string> {
  const open: Step[] = [{ folder, rules: rulesAbove(root, folder) }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    signal?.throwIfAborted();
    const entries = await entriesOf(join(root, step.folder));
    const isRuled = entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
    const rules = isRuled ? [...step.rules, ...rulesOf(root, step.folder)] : step.rules;
    const folders: Step[] = [];
    for (const entry of entries) {
      const path = step.folder === "" ? entry.name : `${step.folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name) && !isIgnored(rules, `${path}/`)) folders.push({ folder: path, rules });
      } else if (entry.isFile() && !isIgnored(rules, path)) yield path;
    }
    open.push(...folders.reverse());
  }
}

/** A folder that cannot be read, or has gone meanwhile, is passed over. */
async function entriesOf(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function rulesAbove(root: string, folder: string): Rules[] {
  const names = folder === "" ? [] : folder.split("/");
  return names.flatMap((_, depth) => rulesOf(root, names.slice(0, depth).join("/")));
}

function rulesOf(root: string, folder: string): Rules[] {
  try {
    const text = readFileSync(join(root, folder, ".gitignore"), "utf8");
    return [{ folder: folder === "" ? "" : `${folder}/`, rules: ignore().add(text) }];
  } catch {
    return [];
  }
}

/** The innermost file that says anything about a path decides. */
function isIgnored(rules: readonly Rules[], path: string): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(path.slice(folder.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
