import type { ModelTurn } from "@editwire/conformance/model";

const INTRODUCTION =
  "I am a script that stands in for a language model. I know one job: finding and fixing a failing test. " +
  "Ask me to fix the failing test of a small JavaScript project.";

/** The answer to a prompt that asks for no work; `undefined` when there is work to do. */
export function answerQuestion({ prompt, earlier }: ModelTurn): string | undefined {
  const isQuestion = /^\s*(what|why|how|which|explain)\b/i.test(prompt);
  const edit = earlier.findLast(({ name, result }) => name === "edit_file" && result.startsWith("Edited"));
  if (isQuestion && edit !== undefined) {
    const { path, old_text, new_text } = edit.args;
    return (
      `I changed one thing, in \`${String(path)}\`:\n\n\`\`\`diff\n- ${String(old_text)}\n` +
      `+ ${String(new_text)}\n\`\`\``
    );
  }
  return /\b(fix|tests?|failing|fails?|bug|defect)\b/i.test(prompt) ? undefined : INTRODUCTION;
}
