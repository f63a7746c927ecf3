/** The work of a Kaiak server in a run: it streams texts, and asks questions that do not stop the stream. */
export interface KaiakErrand {
  readonly texts: number;
  readonly questions: number;
}

/** The content of each text. */
export const piece = "Base64 replaces DatatypeConverter. ";

/** The characters that a client receives in a run. */
export const charsOf = ({ texts }: KaiakErrand): number => texts * piece.length;

/** Whether a question comes before this text: they are spread over the run. */
export const asksBefore = (index: number, { texts, questions }: KaiakErrand): boolean =>
  index % Math.ceil(texts / questions) === 0;

/** How many sends are open at a time where each of them gives a promise. */
export const openSends = 64;
