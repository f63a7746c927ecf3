import { generateJava, generateTexts } from "../projects.js";
import type { Workload } from "./workload.js";

const ms = { unit: "ms", better: "less" } as const;

/** The tools of an IDE on large projects. */
export const ideTools: readonly Workload[] = [
  {
    name: "grep",
    title: "a text that 40 lines have is searched in all files of a project",
    size: 50_000,
    grows: false,
    contenders: ["editwire/ide-tools", "editwire/ide-tools-scan", "floor/ide-tools"],
    figures: { ms, delay: ms },
    measure: async (contender, files, bench) =>
      bench.runTools({ kind: "grep", contender, root: await generateTexts(bench.folder, files) }),
  },
  {
    name: "call-chain",
    title: "the callers and callees of a method in a Java project: first, again, and after a file has changed",
    size: 2_000,
    grows: false,
    contenders: ["editwire/ide-tools"],
    figures: { first: ms, next: ms, changed: ms, delay: ms },
    measure: async (contender, files, bench) =>
      bench.runTools({ kind: "chain", contender, root: await generateJava(bench.folder, files) }),
  },
];
