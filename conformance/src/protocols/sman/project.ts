import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Room } from "../../core/protocol.js";
import { projectFiles, projectLinks, secret } from "./project-files.js";
import { projectKey } from "./samples.js";

/** The project that the plugin of one connection works on, and a folder beside it that is none of its business. */
export class Project {
  /** The folder of the project. */
  readonly root: string;
  readonly outside: string;
  /** False where links cannot be made, as on Windows without the right to. */
  readonly hasLinks: boolean;
  readonly #home: string;

  constructor() {
    this.#home = realpathSync(mkdtempSync(join(tmpdir(), "conformance-sman-")));
    this.root = join(this.#home, "project");
    this.outside = join(this.#home, "outside");
    for (const [path, text] of Object.entries(projectFiles)) this.write(path, text);
    mkdirSync(this.outside);
    writeFileSync(join(this.outside, "secret.txt"), secret);
    this.hasLinks = linked(this.root);
  }

  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** The text of a file; `undefined` when there is none. */
  read(path: string): string | undefined {
    const file = join(this.root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  /** The files outside of the project with their texts. */
  besides(): Readonly<Record<string, string>> {
    const entries = readdirSync(this.#home, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const others = files.filter((file) => !file.startsWith(join(this.root, "/")));
    return Object.fromEntries(others.map((file) => [file, readFileSync(file, "utf8")]));
  }

  remove(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function linked(root: string): boolean {
  try {
    for (const [path, to] of Object.entries(projectLinks)) symlinkSync(to, join(root, path));
    return true;
  } catch {
    return false;
  }
}

/** Prepares the project of one connection. */
export function projectRoom(): Room {
  const project = new Project();
  return {
    variables: { project: project.root, project_key: projectKey },
    content: project,
    close: () => project.remove(),
  };
}
