import type { Script, Step, ToolRequest, ToolUse } from "@editwire/conformance/model";
import { withoutDatatypeConverter } from "./datatype-converter.js";

type Part<T> = Generator<Step, T, readonly ToolUse[]>;

/**
 * Replaces `javax.xml.bind.DatatypeConverter`, which Java 11 and later do not have, in the files that the prompt names,
 * or else in those that a search finds. It says why where something is missing or refused.
 */
export const replaceDatatypeConverter: Script = function* ({ prompt }) {
  const named = [...prompt.matchAll(/^\d+\. (.+?\.java)(?:, line \d+)?: /gm)].map(([, path = ""]) => path);
  const files = named.length > 0 ? [...new Set(named)] : yield* searched();
  let word = "I find no Java file that uses DatatypeConverter.";
  for (const [index, path] of files.entries()) word = yield* migrate(path, index === 0 ? undefined : word);
  yield { say: word };
};

function* searched(): Part<string[]> {
  const hits = yield* use({
    say: "The incident names no file, so I search for the class.",
    calls: [{ name: "search", args: { pattern: "\\bDatatypeConverter\\b" } }],
  });
  return [...new Set([...hits.matchAll(/^([^:\n]+\.java):\d+: /gm)].map(([, path = ""]) => path))];
}

/** Works on one file, after a word about the one before. Gives the word about this one. */
function* migrate(path: string, before: string | undefined): Part<string> {
  const listing = yield* use({
    think: `${path} uses a class that left Java with version 11. I read it before I judge.`,
    say: before,
    calls: [{ name: "read_file", args: { path } }],
  });
  if (isRefusal(listing)) return `I cannot read ${path}: ${listing}`;
  if (listing.includes("… read on with")) return `${path} is too long for me.`;
  const source = `${listing.replace(/^ *\d+\t/gm, "")}\n`;
  const { text, classes, left } = withoutDatatypeConverter(source);
  if (text === source) return `${path} calls nothing of DatatypeConverter that I know how to replace.`;
  const written = yield* use({
    say: `${classes.join(" and ")} can do in ${path} what DatatypeConverter does.`,
    calls: [{ name: "write_file", args: { path, content: text } }],
  });
  if (written.startsWith("The user rejected")) return `You rejected the change, so ${path} stays as it is.`;
  if (isRefusal(written)) return `${path} stays as it is. ${written}`;
  const rest = left.length === 0 ? "" : ` It still calls ${left.join(", ")}, which I do not know.`;
  return `${path} works without DatatypeConverter now.${rest}`;
}

/** Makes one call and gives its result. */
function* use(step: Step & { calls: readonly ToolRequest[] }): Part<string> {
  return (yield step)[0]?.result ?? "";
}

function isRefusal(result: string): boolean {
  return result === "" || /^(Error: |The user )/.test(result);
}
