/** A source file as a tool showed it. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A defect, and the text that corrects it. */
export interface Defect {
  readonly path: string;
  readonly line: number;
  readonly oldText: string;
  readonly newText: string;
}

/** Removes the line numbers that `read_file` puts in front. */
export function withoutLineNumbers(listing: string): string {
  return listing.replace(/^ *\d+\t/gm, "");
}

/** Finds a range whose end its own comment leaves out, and whose comparison takes it in all the same. */
export function findDefect({ path, text }: Source): Defect | undefined {
  if (!/\bnot including\b|\bexclusive\b|\bhalf-open\b/i.test(text)) return undefined;
  const lines = text.split("\n");
  const index = lines.findIndex((line) => /<=.*&&.*<=/.test(line));
  const oldText = lines[index]?.trim();
  return oldText === undefined ? undefined : { path, line: index + 1, oldText, newText: oldText.replaceAll("<=", "<") };
}

/** The names that a module imports from its neighbours and calls, outside of tests the ones worth a look. */
export function calledImports(text: string): string[] {
  const names = [...text.matchAll(/^import \{([^}]*)\} from "\.[^"]*";?$/gm)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim()),
  );
  const body = text.replace(/^import .*$/gm, "");
  return names.filter((name) => name !== "" && new RegExp(`\\b${name}\\(`).test(body));
}

/** The file that defines a function, from lines such as `src/stay.js:19: export function overlaps(a, b) {`. */
export function definitionOf(name: string, hits: string): string | undefined {
  return new RegExp(`^([^:\\n]+):\\d+: *export (?:async )?function ${name}\\b`, "m").exec(hits)?.[1];
}
