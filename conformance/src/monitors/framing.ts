import { defineMonitor, type Monitor } from "../core/talk/monitor.js";

/** The ids that the framing monitor judges. */
export interface FramingRequirements {
  /** The target's output holds nothing but framed messages. */
  readonly onlyMessages: string;
}

/** Judges a byte stream: it holds nothing but framed, complete, valid UTF-8 messages. */
export function framingMonitor({ onlyMessages }: FramingRequirements, prefix: string): Monitor {
  const header = {
    id: `${prefix}.framing.only-messages`,
    title: "the output holds framed messages and nothing else",
    req: [onlyMessages],
  };
  return defineMonitor(header, (api) => ({
    message({ from, entry }) {
      if (from === "target") api.require(onlyMessages, true, entry);
    },
    malformed(entry) {
      api.require(onlyMessages, false, entry, {
        message: entry.problem,
        expected: "framed JSON messages",
        actual: entry.excerpt,
      });
      api.fatal(entry, `${entry.problem}: ${JSON.stringify(entry.excerpt.slice(0, 120))}`);
    },
  }));
}
