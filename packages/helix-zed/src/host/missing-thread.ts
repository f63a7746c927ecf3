const thread = "(?:thread|session|rollout|conversation)";
const patterns = [
  new RegExp(`\\bno (?:such )?${thread}s?(?: id)?\\W*(?:was |were )?(?:found|exists?)\\b`, "i"),
  new RegExp(`\\bno such ${thread}\\b`, "i"),
  new RegExp(`\\b(?:is|was) no ${thread}\\W*(?:$|ID\\b)`, "i"),
  new RegExp(`\\bunknown ${thread}\\b`, "i"),
  new RegExp(`\\b(?:could not|cannot|failed to) find (?:the )?${thread}(?: id)?\\W*(?:$|ID\\b)`, "i"),
  new RegExp(`\\b${thread}(?: id)?\\W*(?:ID\\W*)?(?:was |is )?(?:not found|does not exist|could not be found)\\b`, "i"),
];

/**
 * Tells from an agent's error text that it does not have a thread, as opposed to one that it cannot load now. The
 * protocol has no code for it. Other things that were not found, such as a command, do not count.
 */
export function isMissingThread(error: string, threadId: string): boolean {
  const quoted = threadId.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const text = error.replace(new RegExp(`(?<![\\w-])${quoted}(?![\\w-])`, "g"), "ID");
  return patterns.some((pattern) => pattern.test(text));
}
