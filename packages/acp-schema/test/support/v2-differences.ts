import type { KnownDifferences } from "./official-differences.js";

/** Differences from the official schema of version 2 that are meant. Each pattern matches at least one. */
export const knownV2: readonly KnownDifferences[] = [
  {
    reason: "a session's id is never empty, and paths are absolute, as the text of the protocol demands",
    patterns: [
      /sessionId: string length>=1 here, string there$/,
      /(cwd|path|oldPath|additionalDirectories\[\]): string pattern here, string there$/,
    ],
  },
  {
    reason: "one form for every reason why a session is idle; a reason that is not known is kept",
    patterns: [
      /<sessionUpdate=state_update state=idle>\.(error: only here|stopReason: scalar here, any there)$/,
      /<sessionUpdate=state_update state=idle stopReason=[a-z_]+>: only there$/,
    ],
  },
  {
    reason: "crate schema 1.20 has these, too",
    patterns: [
      /<sessionUpdate=(plan_removed|replay_complete|session_message(_chunk)?|subagent_update)>: only here$/,
      /<sessionUpdate=state_update state=unknown>: only here$/,
      /\.background\[\]<type=subagent>: only here$/,
      /\.plan<type=markdown>: only here$/,
      /content(\[\])?<type=session>: only here$/,
      /<sessionUpdate=compaction_update>\.status: optional here, required there$/,
      /^session\/(new|resume) params\.systemPrompt: only here$/,
      /^initialize result\.capabilities\.session\.systemPrompt: only here$/,
      /^session\/prompt params\.idempotencyKey: only here$/,
    ],
  },
  {
    reason: "that a sessionId or a requestId is there is checked by a rule that JSON Schema does not show",
    patterns: [
      /^elicitation\/create params<mode=(form|url)>\.requestId: optional here, required there$/,
      /^elicitation\/create params<mode=(form|url)>\.(sessionId|toolCallId): only here$/,
      /^elicitation\/create params<(message\+mode\+(requestId|sessionId)>: only there|message\+mode>: only here)$/,
    ],
  },
  {
    reason: "every object may have _meta, and a variant that is not known has what the known ones share",
    patterns: [
      /<(description\+name\+type|planId\+type|methodId\+name\+type)>\.(_meta|description): only here$/,
      /^elicitation\/create result<action>\._meta: only there$/,
    ],
  },
  {
    reason: "a value of a form may be of any type, which the official schema says in more words",
    patterns: [/^elicitation\/create result<action=accept>\.content: object here, map there$/],
  },
  {
    reason: "the version is compared, so that one below 0 is unsupported and not malformed",
    patterns: [/protocolVersion: integer here, integer >=0 there$/],
  },
];
