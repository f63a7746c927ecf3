// Finds phrases that native readers stumble over, in comments, strings and Markdown. CONTRIBUTING.md shows how to
// write.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { report, root } from "./lib/workspace.mjs";

/** Each phrase with its replacement. "To tell apart" is idiomatic. */
const phrases = [
  ["hears", '"called when" or "receives"'],
  ["bears", '"survives" or "tolerates"'],
  ["anew", '"again" or "from the start"'],
  ["whoever", "who does it"],
  ["lets? go of", '"releases"'],
  ["so many", "the figure"],
  ["(?:is|are) told(?! apart)", '"is notified" or "receives"'],
  ["of (?:ours|theirs)", '"our" or "the peer\'s"'],
  ["today['’]s", "the version"],
  ["there is no such", '"does not exist"'],
  ["(?:that|what|which|it|they) (?:is|are) none(?! (?:of|at))", '"is not a …"'],
  ["sa(?:ys?|id) of (?:it|them)sel(?:f|ves)", '"reports about itself"'],
  ["what (?:is|was) said", '"the messages"'],
  ["what(?:ever)? (?:comes|came|becomes?|became) of", '"the result of"'],
  ["gives? back what", '"returns" or "echoes"'],
  ["in good order", '"properly"'],
  ["at the best", '"at best"'],
].map(([phrase, instead]) => [new RegExp(`(?<![\\w-])${phrase}(?![\\w-])`, "i"), instead]);

/** A sentence of a comment that begins with "What" seldom has a subject. Questions do. */
const openers = [
  [/(?:\/\*\*?|\/\/|^ *\*) +(?:.*[.:;] )?What(?:ever)? (?![^.]*\?)/, "the thing, its unit or its reason, or nothing"],
];

/** Specifications, recorded data, generated changelogs and files that show the phrases. */
const skipped = [/^conformance\/(?:specs|src\/protocols\/[^/]+\/registry)\//, /(?:^|\/)CHANGELOG\.md$/];
const showing = ["CONTRIBUTING.md", "scripts/check-words.mjs"];

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md", "*.ts", "*.js", "*.mjs", "*.cjs"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && !showing.includes(file) && !skipped.some((pattern) => pattern.test(file)));

const findings = files.flatMap((file) => {
  const isMarkdown = file.endsWith(".md");
  const prose = isMarkdown ? proseOfMarkdown : proseOfCode;
  const lines = prose(readFileSync(join(root, file), "utf8")).split("\n");
  return [...phrases, ...(isMarkdown ? [] : openers)].flatMap(([phrase, instead]) =>
    lines.flatMap((line, index) => {
      const found = phrase.exec(line)?.[0];
      return found === undefined ? [] : [`${file}:${index + 1}: "${found}"; write ${instead}`];
    }),
  );
});
report("words", findings, `${files.length} files`);

/** Blanks code blocks and inline code. */
function proseOfMarkdown(text) {
  return text.replace(/^( *)(`{3,})[^]*?^ *\2`* *$/gm, blank).replace(/`[^`\n]*`/g, blank);
}

/** Blanks everything except comments and strings, and inline code in comments. */
function proseOfCode(text) {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest);
  const prose = blank(text).split("");
  const keep = (pos, words) => {
    for (let at = 0; at < words.length; at += 1) prose[pos + at] = words[at];
  };
  const visit = (node) => {
    const children = node.getChildren(source);
    const start = node.getStart(source);
    if (isText(node)) keep(start, text.slice(start, node.end));
    if (children.length === 0)
      for (const { pos, end } of commentsAround(text, node))
        keep(pos, text.slice(pos, end).replace(/`[^`\n]*`/g, blank));
    for (const child of children) visit(child);
  };
  visit(source);
  return prose.join("");
}

function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function commentsAround(text, { pos, end }) {
  return [...(ts.getLeadingCommentRanges(text, pos) ?? []), ...(ts.getTrailingCommentRanges(text, end) ?? [])];
}

/** Spaces in place of every character, so that lines keep their numbers. */
function blank(text) {
  return text.replace(/[^\n]/gu, (character) => " ".repeat(character.length));
}
