import { describePattern } from "../../trace/pattern.js";
import type { Check, Findings, Lookup } from "./check.js";
import { bindsIn } from "../registry/profile.js";
import { violationOf } from "../registry/requirement.js";
import { type Verdict, worst } from "./verdict.js";

/** Collects the checks of one case; judging a requirement twice keeps the worst and its first findings. */
export class Checks {
  readonly #byId = new Map<string, Check>();

  readonly #lookup: Lookup;
  readonly #profile: string;

  constructor(lookup: Lookup, profile: string) {
    this.#lookup = lookup;
    this.#profile = profile;
  }

  /** Judges a condition by the requirement's level; does nothing if the requirement does not apply to the profile. */
  judge(source: Check["source"], by: string, req: string, condition: boolean, findings: Findings = {}): void {
    const requirement = this.#lookup(req);
    if (!bindsIn(requirement, this.#profile)) return;
    this.add(source, by, req, condition ? "pass" : violationOf(requirement), condition ? {} : findings);
  }

  /** Records a verdict as it is. */
  add(
    source: Check["source"],
    by: string,
    req: string,
    verdict: Verdict,
    { message, expected, actual, at }: Findings = {},
  ): void {
    const { level, basis } = this.#lookup(req);
    const id = `${by}#${req}`;
    const before = this.#byId.get(id);
    const count = (before?.count ?? 0) + 1;
    if (before !== undefined && worst([before.verdict, verdict]) === before.verdict) {
      this.#byId.set(id, { ...before, count });
      return;
    }
    const text = typeof expected === "string" || expected === undefined ? expected : describePattern(expected);
    this.#byId.set(id, {
      id,
      req,
      level,
      basis,
      verdict,
      source,
      count,
      ...(message !== undefined && { message }),
      ...(text !== undefined && { expected: text }),
      ...(actual !== undefined && { actual }),
      ...(at !== undefined && { at }),
    });
  }

  /** Says whether a case has judged a requirement itself. */
  has(by: string, req: string): boolean {
    return this.#byId.has(`${by}#${req}`);
  }

  /** Says whether a case has judged something itself, and all of it passed. */
  passed(by: string): boolean {
    const judged = this.all().filter(({ id, source }) => source === "case" && id.startsWith(`${by}#`));
    return judged.length > 0 && judged.every(({ verdict }) => verdict === "pass");
  }

  /** Blocks what a case has found wrong: it was not the behavior of the target that it saw. */
  block(by: string, message: string): void {
    for (const [key, check] of this.#byId) {
      if (check.source === "case" && key.startsWith(`${by}#`) && (check.verdict === "fail" || check.verdict === "warn"))
        this.#byId.set(key, { ...check, verdict: "blocked", message });
    }
  }

  all(): Check[] {
    return [...this.#byId.values()];
  }
}
