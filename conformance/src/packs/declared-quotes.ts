import type { Quote } from "../core/registry/requirement.js";
import { normalize } from "../core/registry/statements.js";
import { type Statement } from "../core/registry/statement.js";
import type { MessagePart } from "../generate/fixtures.js";
import { type DeclaredFacts, declaredMutantId, formMutantIds } from "./declared.js";

/** Additions to a statement that `declaredMutants` does not break. */
export type ByHand = Pick<Quote, "mutants" | "repeats"> & { readonly part: MessagePart };

/**
 * Quotes what a section of the specification states about one part of its method, with the mutant of `declaredMutants`
 * that breaks just this statement. `byHand` has the statements without such a mutant, by their anchors.
 */
export function declaredQuotes(
  facts: DeclaredFacts,
  section: readonly Statement[],
  method: string,
  part: MessagePart,
  byHand: Readonly<Record<string, ByHand>>,
): readonly Quote[] {
  const broken = new Map(facts.declared(method, part).map(({ at }) => [at, declaredMutantId(facts.prefix, at)]));
  const proofOf = (at: string, text: string): Pick<Quote, "mutants" | "repeats"> | undefined => {
    const known = byHand[at];
    if (known !== undefined) {
      const { part: own, ...proof } = known;
      return own === part ? proof : undefined;
    }
    const { otherKind, asList } = formMutantIds(facts, method);
    if (part === "params" && text.startsWith("method: ")) return { mutants: [otherKind] };
    if (part === "params" && text.startsWith("params: ")) return { mutants: [asList] };
    const id = broken.get(at);
    if (id !== undefined) return { mutants: [id] };
    // The tag of a variant says the same as its name.
    return /^(export )?interface \w+ \{$/.test(text) && broken.has(`${at}.type`)
      ? { repeats: `${at}.type` }
      : undefined;
  };
  return section.flatMap(({ anchor: at, text }) => {
    const withoutComments = normalize(text.replace(/\/\*.*?\*\//g, ""));
    const proof = proofOf(at, withoutComments);
    return proof === undefined ? [] : [{ at, text: withoutComments, ...proof }];
  });
}
