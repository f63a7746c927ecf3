import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Lines in all of a generated project that `grep` searches for. */
export const needles = 40;
/** A text that the files contain. */
export const needle = "needleInTheHaystack";

/** Files of one folder. */
const perFolder = 100;
const made = new Map<string, Promise<string>>();

/** Makes a project of text files of about 1.5 KB, once. Gives its folder. */
export function generateTexts(parent: string, files: number): Promise<string> {
  const step = Math.max(1, Math.floor(files / needles));
  return once(join(parent, `texts-${files}`), files, (n) => ({
    path: `src/part${Math.floor(n / perFolder)}/file${n}.ts`,
    text: [
      ...Array.from(
        { length: 30 },
        (_, line) => `export const value${n}_${line} = compute(${n}, ${line}, "some text");`,
      ),
      n % step === 0 && n / step < needles ? `// ${needle} ${n}` : "// nothing",
      "",
    ].join("\n"),
  }));
}

/**
 * Makes a Java project, once: each class has a field of the next class, and six methods, of which each calls one of its
 * own and one of the next class. Gives its folder.
 */
export function generateJava(parent: string, files: number): Promise<string> {
  return once(join(parent, `java-${files}`), files, (n) => ({
    path: `src/main/java/com/example/part${Math.floor(n / perFolder)}/Service${n}.java`,
    text: javaClass(n, (n + 1) % files),
  }));
}

function javaClass(n: number, next: number): string {
  const packageOf = (number: number): string => `com.example.part${Math.floor(number / perFolder)}`;
  const methods = Array.from(
    { length: 6 },
    (_, m) => `  /** Does step ${m}. */
  public int step${m}(int value) {
    int own = ${m === 0 ? "value" : `step${m - 1}(value)`};
    if (own > ${n}) {
      return next.step${m}(own - 1);
    }
    return own + other.length();
  }
`,
  );
  return `package ${packageOf(n)};

import ${packageOf(next)}.Service${next};

public class Service${n} {
  private final Service${next} next = new Service${next}();
  private String other = "text ${n}";

${methods.join("\n")}}
`;
}

function once(
  root: string,
  files: number,
  fileOf: (n: number) => { readonly path: string; readonly text: string },
): Promise<string> {
  let project = made.get(root);
  if (project === undefined) made.set(root, (project = write(root, files, fileOf)));
  return project;
}

async function write(
  root: string,
  files: number,
  fileOf: (n: number) => { readonly path: string; readonly text: string },
): Promise<string> {
  for (let from = 0; from < files; from += perFolder) {
    const numbers = Array.from({ length: Math.min(perFolder, files - from) }, (_, index) => from + index);
    await Promise.all(
      numbers.map(async (n) => {
        const { path, text } = fileOf(n);
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), text);
      }),
    );
  }
  return root;
}
