import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { commandsOf } from "../src/cli/main.js";
import { findProtocol } from "../src/protocols/all.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const commands = new Map(commandsOf(() => {}).map((command) => [command.name(), command]));
/** The beginning of a line in a table of commands, and the word behind the name of the program. */
const line = new RegExp(`(?:^\\| \`|(?:conformance|conf) )(${[...commands.keys()].join("|")})\\b([^\\n\`|]*)`, "gm");

describe.each(["README.md", "CONTRIBUTING-CASES.md", "CLIENTS.md"])("%s", (name) => {
  const text = readFileSync(join(root, name), "utf8");

  test("names only flags that its commands have", () => {
    const used = [...text.matchAll(line)].flatMap(([, command = "", rest = ""]) => {
      const known = commands.get(command)?.options.flatMap(({ long, short }) => [long, short]) ?? [];
      const own = rest.split(" -- ")[0] ?? "";
      return [...own.matchAll(/(?<=\s)--?[a-z][a-z-]*/g)].map(([flag]) => ({
        command,
        flag,
        known: known.includes(flag),
      }));
    });
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter(({ known }) => !known)).toEqual([]);
  });

  test("names only files, requirements and cases that are there", () => {
    const links = [...text.matchAll(/\]\((?!http)([^)#]+)\)/g)].map(([, path = ""]) => path);
    const paths = [...text.matchAll(/`((?:src|test|targets|baselines|specs|assets)\/[\w./-]*)`/g)].map(
      ([, path = ""]) => path,
    );
    expect([...links, ...paths].filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const { requirements } = findProtocol("acp").registry();
    const ids = [...text.matchAll(/\bACP-[A-Z]+-\d{3}\b/g)].map(([id]) => id);
    expect(ids.filter((id) => !requirements.some((row) => row.id === id))).toEqual([]);
  });
});
