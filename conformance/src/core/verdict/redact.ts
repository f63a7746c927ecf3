import { isObject } from "@editwire/core";
import type { TraceEntry } from "../../trace/trace.js";
import type { RunReport } from "./report.js";

/** The text that replaces a secret. */
const GONE = "[redacted]";

/**
 * The report without the given secrets in messages, bytes, stderr, findings and command lines. An empty text is not a
 * secret.
 */
export function redacted(report: RunReport, secrets: readonly string[]): RunReport {
  const forms = formsOf(secrets);
  if (forms.length === 0) return report;
  const text = (value: string): string => redactedText(value, secrets);
  const clean = <T>(value: T): T => {
    if (typeof value === "string") return text(value) as T;
    if (value instanceof Uint8Array) return value;
    if (Array.isArray(value)) return value.map(clean) as T;
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), clean(item)])) as T;
  };
  const { cases, ...rest } = report;
  return {
    ...clean(rest),
    cases: cases.map(({ trace, ...result }) => ({ ...clean(result), trace: withoutSecrets(trace, forms).map(clean) })),
  };
}

/** A text without the given secrets. */
export function redactedText(text: string, secrets: readonly string[]): string {
  return formsOf(secrets).reduce((left, form) => left.replaceAll(form, GONE), text);
}

/**
 * The secrets unchanged, in JSON and in URLs. The longest are first: otherwise a secret inside another one would leave
 * the rest readable.
 */
function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret !== "")
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** The chunks with stars instead of secrets, including secrets that span several chunks. */
function withoutSecrets(trace: readonly TraceEntry[], forms: readonly string[]): TraceEntry[] {
  const copies = new Map<TraceEntry, Uint8Array>();
  for (const party of ["suite", "target", "model"] as const) {
    const chunks = trace.filter((entry) => entry.kind === "bytes" && entry.from === party) as Extract<
      TraceEntry,
      { kind: "bytes" }
    >[];
    const all = Buffer.concat(chunks.map(({ bytes }) => bytes));
    for (const form of forms) {
      const secret = Buffer.from(form, "utf8");
      for (let at = all.indexOf(secret); at >= 0; at = all.indexOf(secret, at + secret.length))
        all.fill("*", at, at + secret.length);
    }
    let at = 0;
    for (const chunk of chunks) {
      copies.set(chunk, all.subarray(at, at + chunk.bytes.length));
      at += chunk.bytes.length;
    }
  }
  return trace.map((entry) => (entry.kind === "bytes" ? { ...entry, bytes: copies.get(entry) ?? entry.bytes } : entry));
}
