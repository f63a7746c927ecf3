import { FrameCutter } from "../../../wire/framing.js";
import type { Framing, Reader, ReaderCut } from "../reference/agent-behavior.js";

function parse(text: string, framing: Framing): ReaderCut {
  try {
    return { ok: true, message: JSON.parse(text) as unknown, frame: { framing } };
  } catch {
    return { ok: false };
  }
}

/** Reads lines and knows no headers. */
export function lineReader(): Reader {
  let held = "";
  return {
    push(chunk) {
      const lines = (held + Buffer.from(chunk).toString("utf8")).split("\n");
      held = lines.pop() ?? "";
      return lines.filter((line) => line.trim() !== "").map((line) => parse(line, "line"));
    },
  };
}

/**
 * Reads headers of one form, with a length in characters or bytes. Reads as usual when the first message has no header.
 */
export function headerReader(header: RegExp, unit: "utf8" | "latin1"): Reader {
  let held = "";
  let usual: FrameCutter | undefined;
  let begun = false;
  return {
    push(chunk) {
      const text = Buffer.from(chunk).toString(unit);
      if (!begun && !/^c/i.test(text)) usual = new FrameCutter();
      begun = true;
      if (usual !== undefined) return usual.push(chunk);
      held += text;
      const cuts: ReaderCut[] = [];
      for (;;) {
        const found = header.exec(held);
        const block = /\r?\n\r?\n/.exec(held);
        if (found === null && block === null) break;
        if (found === null) {
          // It skips unreadable bytes, up to the next header.
          const rest = held.slice((block?.index ?? 0) + (block?.[0].length ?? 0));
          held = rest.slice(Math.max(0, rest.search(/content-|$/i)));
          cuts.push({ ok: false, problem: "a header of another form" });
          continue;
        }
        const begin = found[0].length;
        const end = begin + Number(found[1]);
        if (held.length < end) break;
        cuts.push(parse(Buffer.from(held.slice(begin, end), unit).toString("utf8"), "header"));
        held = held.slice(end);
      }
      return cuts;
    },
  };
}

/** Takes every chunk for whole messages. */
export function chunkReader(most = Number.POSITIVE_INFINITY): Reader {
  return { push: (chunk) => new FrameCutter().push(chunk).slice(0, most) };
}

/** Takes every chunk that begins with a header for whole messages. */
export function framedChunkReader(): Reader {
  let reader: Reader | undefined;
  return {
    push: (chunk) => (reader ??= /^c/i.test(Buffer.from(chunk).toString()) ? chunkReader() : lineReader()).push(chunk),
  };
}

/** Reads messages with headers, and no lines. */
export function headersOnly(): Reader {
  const cutter = new FrameCutter();
  return { push: (chunk) => cutter.push(chunk).filter((cut) => cut.ok && cut.frame.framing === "header") };
}

/** Drops messages that are longer than the given number of bytes. */
export function smallReader(most: number): Reader {
  const cutter = new FrameCutter();
  return { push: (chunk) => cutter.push(chunk).filter((cut) => !cut.ok || cut.frame.size <= most) };
}
