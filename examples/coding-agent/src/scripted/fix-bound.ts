import type { Script, Step, ToolRequest, ToolUse } from "@editwire/conformance/model";
import { calleesOf, callersOf, type Defect, findDefect, methodAround, type Place } from "./reports.js";

type Part<T> = Generator<Step, T, readonly ToolUse[]>;

/**
 * Finds and fixes a comparison that treats a bound otherwise than its comment says, in Java or TypeScript: from the
 * text that the prompt quotes, over the calls of the method that writes it, to the comparison. It says why where it
 * finds nothing.
 */
export const fixBound: Script = function* ({ prompt }) {
  const quoted = /"([^"]+)"/.exec(prompt)?.[1];
  if (quoted === undefined)
    return void (yield { say: 'I am a script in place of a model. Quote a text of the program, such as "is taken".' });
  const hits = yield* use(`Where does "${quoted}" come from?`, "grep_file", { pattern: quoted, context_lines: 6 });
  const method = methodAround(hits);
  if (method === undefined) return yield* stop(`I find no method that writes "${quoted}".`, hits);

  const say = `\`${method}\` writes it. What does it depend on?`;
  const chain = yield* use(say, "call_chain", { method, direction: "callees", depth: 4 });
  for (const place of calleesOf(chain)) {
    const { path, line } = place;
    const source = yield* use(undefined, "read_file", { relativePath: path, line, context_lines: 5 });
    const defect = findDefect(source);
    if (defect !== undefined) return yield* correct(place, defect);
  }
  return yield* stop(`I find no wrong bound behind \`${method}\`.`, chain);
};

function* correct({ method, path, line }: Place, { oldText, newText, bound }: Defect): Part<void> {
  const change = {
    relativePath: path,
    searchContent: oldText,
    replaceContent: newText,
    description: `The bound is ${bound}, as the comment says`,
  };
  let say = `The comment of \`${method}\` says that the bound is ${bound}, and the comparison contradicts it.`;
  for (;;) {
    const answer = yield* use(say, "apply_change", change);
    if (!answer.startsWith("Error: ")) break;
    if (!/may (still )?have been applied/.test(answer)) return yield* stop(`I could not change \`${path}\`.`, answer);
    const question = "The IDE was lost while it made the change. Has it been made?";
    const source = yield* use(question, "read_file", { relativePath: path, line, context_lines: 5 });
    if (source.startsWith("Error: ")) return yield* stop(`I cannot read \`${path}\` any more.`, source);
    if (source.includes(newText)) break;
    say = "It has not, so I make it again.";
  }
  const callers = yield* use("Who else depends on it?", "call_chain", { method, direction: "callers", depth: 3 });
  const names = callersOf(callers).map((name) => `\`${name}\``);
  yield { say: `I changed \`${oldText}\` to \`${newText}\` in \`${path}\`. This reaches ${names.join(", ")}.` };
}

/** Makes one call and gives its result. */
function* use(say: string | undefined, name: string, args: ToolRequest["args"]): Part<string> {
  return (yield { say, calls: [{ name, args }] })[0]?.result ?? "";
}

function* stop(why: string, answer: string): Part<void> {
  yield { say: answer.startsWith("Error: ") ? `${why} ${answer.slice("Error: ".length)}` : why };
}
