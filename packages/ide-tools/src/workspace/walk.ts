import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../errors.js";
import { type IgnoreRules, ignoreRules } from "./gitignore.js";
import { readBytesSync } from "./read.js";

/** Folders that hold no sources of the project, whether a `.gitignore` names them or not. */
const skippedFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);
/** Bytes of a `.gitignore`; a larger one has no effect. */
const maxIgnoreBytes = 1024 * 1024;

/** The rules of one `.gitignore`, for the paths below its folder. */
interface Rules {
  /** With a slash at its end; empty for the root. */
  readonly folder: string;
  readonly judge: IgnoreRules;
}

/** A folder of a walk, with the rules that hold in it, the outermost first. */
interface Step {
  readonly folder: string;
  readonly rules: readonly Rules[];
}

/**
 * Lists the files below a folder of the root, as paths from the root with forward slashes, folder by folder. Links are
 * not followed, and `.git`, `node_modules` and what a `.gitignore` names are left out. It reads in blocking calls, for
 * workers.
 */
export function* walk(root: string, folder = ""): Generator<string> {
  const first = stepAt(root, folder);
  const open = first === undefined ? [] : [first];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const entries = entriesOf(join(root, step.folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
    const isRuled = entries.some(({ name }) => name === ".gitignore");
    const rules = isRuled ? [...step.rules, ...rulesOf(root, step.folder)] : step.rules;
    const folders: Step[] = [];
    for (const entry of entries) {
      const path = below(step.folder, entry.name);
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name) && !isIgnored(rules, path, true)) folders.push({ folder: path, rules });
      } else if (entry.isFile() && !isIgnored(rules, path, false)) yield path;
    }
    open.push(...folders.reverse());
  }
}

export interface ListRequest {
  readonly root: string;
  readonly folder: string;
}

/** Paths that are posted together. */
const batch = 500;

/** Posts the paths of a walk, for workers. */
export function listFolder({ root, folder }: ListRequest, post: (paths: readonly string[]) => void): void {
  const paths: string[] = [];
  for (const path of walk(root, folder)) if (paths.push(path) === batch) post(paths.splice(0));
  post(paths);
}

/**
 * Tells whether each `.gitignore` of the project is a regular file that this package would read, so that another
 * program may be pointed at the project that opens them itself.
 */
export function hasPlainRules(root: string): boolean {
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const entry of entriesOf(join(root, folder))) {
      if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) open.push(below(folder, entry.name));
      } else if (entry.name === ".gitignore" && ignoreFileOf(root, folder) === undefined) return false;
    }
  return true;
}

/** The step in which a walk begins; `undefined` in a folder that is left out. */
function stepAt(root: string, folder: string): Step | undefined {
  const names = folder === "" ? [] : folder.split("/");
  const rules: Rules[] = [];
  let at = "";
  for (const name of names) {
    rules.push(...rulesOf(root, at));
    at = below(at, name);
    if (isIgnored(rules, at, true)) return undefined;
  }
  return { folder, rules };
}

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** A folder that cannot be read, or has gone meanwhile, is passed over. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function rulesOf(root: string, folder: string): Rules[] {
  const text = ignoreFileOf(root, folder);
  return text === undefined ? [] : [{ folder: folder === "" ? "" : `${folder}/`, judge: ignoreRules(text) }];
}

/** The `.gitignore` of a folder. One that is not a regular file of bounded size says nothing. */
function ignoreFileOf(root: string, folder: string): string | undefined {
  const path = below(folder, ".gitignore");
  try {
    const bytes = readBytesSync({ real: join(root, path), path, maxBytes: maxIgnoreBytes });
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The innermost file that says anything about a path decides. */
function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, judge } of rules.toReversed()) {
    const verdict = judge(path.slice(folder.length), isFolder);
    if (verdict !== undefined) return verdict === "ignored";
  }
  return false;
}
