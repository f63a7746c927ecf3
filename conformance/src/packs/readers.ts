import { type CutFrame, FrameCutter } from "../wire/framing.js";

/** Makes what a reference reads the bytes of one connection with. */
export type MakeReader = () => { push(chunk: Uint8Array): readonly CutFrame[] };

/** Reads what `change` leaves of the messages of each chunk. */
export const reading =
  (change: (cuts: readonly CutFrame[]) => readonly CutFrame[]): MakeReader =>
  () => {
    const cutter = new FrameCutter();
    return { push: (chunk) => change(cutter.push(chunk)) };
  };

/** Takes every chunk for whole messages. */
export const wholeChunks: MakeReader = () => ({ push: (chunk) => new FrameCutter().push(chunk) });

/** Reads one message of each chunk. */
export const oneOfAChunk: MakeReader = reading((cuts) => cuts.slice(0, 1));

/** Reads only messages with such a header. Bytes that are not a message stay what they are. */
export const headersLike = (known: RegExp): MakeReader =>
  reading((cuts) => cuts.filter((cut) => !cut.ok || known.test(cut.frame.detail ?? "")));
