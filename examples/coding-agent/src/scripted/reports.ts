/** A method, and where it begins. */
export interface Place {
  readonly method: string;
  readonly path: string;
  readonly line: number;
}

/** A line whose comparison contradicts the comment above it. */
export interface Defect {
  readonly oldText: string;
  readonly newText: string;
  /** The bound according to the comment. */
  readonly bound: "included" | "excluded";
}

/** The method around the first match in a report of `grep_file` with context: `File.method`. */
export function methodAround(report: string): string | undefined {
  const path = /^### (.+)$/m.exec(report)?.[1];
  const lines = codeOf(report);
  const match = lines.findIndex(({ isMarked }) => isMarked);
  const name = lines.slice(0, match).findLast(({ text }) => declared(text) !== undefined);
  const file = /([\w-]+)\.\w+$/.exec(path ?? "")?.[1];
  return name === undefined || file === undefined ? undefined : `${file}.${declared(name.text)}`;
}

/** The methods of the project in a report of `call_chain`, those with the longest way to them first. */
export function calleesOf(report: string): Place[] {
  const links = [...report.matchAll(/^( *)- `([^`]+)` — (.+?):(\d+) /gm)].map(
    ([, indent = "", method = "", path = "", line = ""]) => ({
      depth: indent.length,
      place: { method, path, line: Number(line) },
    }),
  );
  const places = links.sort((a, b) => b.depth - a.depth).map(({ place }) => place);
  return places.filter(({ method }, index) => places.findIndex((place) => place.method === method) === index);
}

/** The callers in a report of `call_chain`, each once. */
export function callersOf(report: string): string[] {
  return [...new Set(calleesOf(report).map(({ method }) => method))].sort();
}

/** Finds, in a report of `read_file`, a comment on a bound and the comparison below it that contradicts it. */
export function findDefect(report: string): Defect | undefined {
  const lines = codeOf(report).map(({ text }) => text);
  const comment = lines.findIndex((text) => /^\s*(?:\/\*\*|\*|\/\/).*\b(?:included|excluded)\b/.test(text));
  if (comment === -1) return undefined;
  const bound = lines[comment]?.includes("included") === true ? "included" : "excluded";
  const wrong = bound === "included" ? / ([<>]) /g : / ([<>])= /g;
  const oldText =
    lines
      .slice(comment + 1)
      .find((text) => /^\s*return /.test(text))
      ?.trim() ?? "";
  const newText = oldText.replace(wrong, bound === "included" ? " $1= " : " $1 ");
  return newText === oldText ? undefined : { oldText, newText, bound };
}

function codeOf(report: string): { readonly text: string; readonly isMarked: boolean }[] {
  return [...report.matchAll(/^ *\d+ (\| {2}|>>>) (.*)$/gm)].map(([, mark, text = ""]) => ({
    text,
    isMarked: mark === ">>>",
  }));
}

/** The name of the function or method that a line declares, in TypeScript or Java. */
function declared(line: string): string | undefined {
  return /\bfunction (\w+)\(|^\s+(?:\w+ )*[\w<>[\], ]+ (\w+)\([^()]*\) \{$/.exec(line)?.slice(1).find(Boolean);
}
