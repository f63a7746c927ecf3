import type { Listeners } from "@editwire/session";
import type { Fact, ProtocolMapping, Saying } from "./facts.js";

/** The subject of a report: a session of the agent, or of the protocol before there is one. */
type Reported = { readonly id: string };

/** The reports about one session. */
export interface FactReports {
  /** As `MappingReports.report`. */
  readonly report: (fact: Fact) => void;
  /** As `MappingReports.otherwise`. */
  readonly otherwise: (fact: Fact) => void;
}

/** Reports what a protocol does not say, or not exactly: once for each session and fact. */
export class MappingReports {
  readonly #protocol: string;
  readonly #mapping: ProtocolMapping;
  readonly #onDiagnostic: Listeners["onDiagnostic"];
  readonly #reported = new WeakMap<Reported, Set<string>>();

  constructor(protocol: string, mapping: ProtocolMapping, onDiagnostic: Listeners["onDiagnostic"]) {
    this.#protocol = protocol;
    this.#mapping = mapping;
    this.#onDiagnostic = onDiagnostic;
  }

  /** The reports about a session. */
  about(session: Reported): FactReports {
    return { report: (fact) => this.report(fact, session), otherwise: (fact) => this.otherwise(fact, session) };
  }

  /** Reports a fact, unless the protocol has a message for it. */
  report(fact: Fact, session: Reported): void {
    this.#report(fact, session, this.#mapping[fact]);
  }

  /** Reports that an editor of this protocol lends nothing. */
  lendsNothing(session: Reported): void {
    for (const fact of ["editor_files", "editor_terminals"] as const) this.report(fact, session);
  }

  /** As `report`, where the peer did not declare what the first way takes. */
  otherwise(fact: Fact, session: Reported): void {
    const saying = this.#mapping[fact];
    this.#report(fact, session, saying.otherwise ?? saying);
  }

  #report(fact: Fact, session: Reported, { how, as }: Saying): void {
    if (how === "said") return;
    const facts = this.#reported.get(session) ?? new Set();
    this.#reported.set(session, facts);
    if (facts.has(`${fact} ${as}`)) return;
    facts.add(`${fact} ${as}`);
    const id = how === "approximated" ? "agent.approximated" : "agent.not-said";
    const what = how === "approximated" ? `is approximated: ${as}` : `is not said: ${as}`;
    this.#onDiagnostic({
      id,
      method: undefined,
      message: `${this.#protocol}: ${fact} ${what} (session ${session.id})`,
    });
  }
}
