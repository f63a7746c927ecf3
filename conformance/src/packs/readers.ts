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

/** Reads the texts of messages in Latin-1. */
export const latin1: MakeReader = reading((cuts) =>
  cuts.map((cut) => {
    if (!cut.ok) return cut;
    const body = Buffer.from(JSON.stringify(cut.message)).toString("latin1");
    return { ...cut, message: JSON.parse(body) as unknown };
  }),
);

/** Takes Content-Length for a number of characters. Where that is no message, nothing more is read. */
export const characters: MakeReader = () => {
  const decoder = new TextDecoder();
  let held = "";
  return {
    push(chunk) {
      held += decoder.decode(chunk, { stream: true });
      const cuts: CutFrame[] = [];
      for (;;) {
        const [header, size] = /^Content-Length: (\d+)\r\n\r\n/.exec(held) ?? [];
        if (header === undefined || held.length < header.length + Number(size)) return cuts;
        const body = held.slice(header.length, header.length + Number(size));
        held = held.slice(header.length + Number(size));
        try {
          cuts.push({
            ok: true,
            message: JSON.parse(body) as unknown,
            frame: { framing: "header", size: Number(size) },
          });
        } catch {
          held = "";
        }
      }
    },
  };
};
