import type { FixOptions, Incident, KaiakQuestion, KaiakSession, TurnEvent } from "@editwire/kaiak";

/** What one run sent. */
export interface Fix {
  readonly events: readonly TurnEvent[];
  /** The questions in their order. */
  readonly questions: readonly KaiakQuestion[];
  readonly status: string;
}

/** Runs `generate_fix` and answers its questions. A question without an answer stays open. */
export async function fix(
  session: KaiakSession,
  incidents: readonly Incident[],
  answer: (question: KaiakQuestion) => string | undefined | Promise<string | undefined>,
  options: FixOptions = {},
): Promise<Fix> {
  const turn = session.generateFix(incidents, { options });
  const events: TurnEvent[] = [];
  for await (const event of turn) {
    events.push(event);
    if (event.type !== "question") continue;
    const given = await answer(event.question);
    if (given !== undefined) await event.respond(given);
  }
  const questions = events.flatMap((event) => (event.type === "question" ? [event.question] : []));
  return { events, questions, status: (await turn.result).status };
}

/** The events of one type. */
export function only<Type extends TurnEvent["type"]>(
  { events }: Pick<Fix, "events">,
  type: Type,
): Extract<TurnEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<TurnEvent, { type: Type }> => event.type === type);
}
