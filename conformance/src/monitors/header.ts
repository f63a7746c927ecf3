import { defineMonitor, type Monitor } from "../core/talk/monitor.js";

/** The ids that the header monitor judges. */
export interface HeaderRequirements {
  /** Every message has a header with its Content-Length. Absent: messages may be lines, too. */
  readonly present?: string | undefined;
  /** Nothing stands between a message and the header of the next one. Absent: blank lines may. */
  readonly alone?: string | undefined;
  /** The lines of a header end with a carriage return and a line feed. */
  readonly ended: string;
  /** A name and its value are separated by a colon and a space. Absent: the space may be missing. */
  readonly separated?: string | undefined;
  /** No other charset than UTF-8 is named. Absent: this is only a part of what is listed. */
  readonly charset?: string | undefined;
  /** A header holds Content-Length, perhaps a Content-Type of UTF-8, and nothing else. Absent: others may be there. */
  readonly listed?: string | undefined;
}

/** The headers of the Language Server Protocol, whose only charset is UTF-8. */
const known = /^(Content-Length: \d+|Content-Type: [^ ](?!.*charset=(?!"?utf-?8)).*)$/i;
const otherCharset = /charset=(?!"?utf-?8)/i;
const spelled = /^(Content-Length|Content-Type): /;

/** Judges the headers of messages on a byte stream. */
export function headerMonitor(requirements: HeaderRequirements, prefix: string): Monitor {
  const { present, alone, ended, separated, charset, listed } = requirements;
  const header = {
    id: `${prefix}.framing.header`,
    title: "messages have headers of the right form",
    req: [...new Set([present, alone, ended, separated, charset, listed].filter((req) => req !== undefined))],
  };
  return defineMonitor(header, (api) => ({
    message({ from, entry }) {
      if (from !== "target" || entry.frame === undefined) return;
      const { framing, detail = "", ending, before } = entry.frame;
      if (present !== undefined)
        api.require(present, framing === "header", entry, {
          message: "a message without a header",
          expected: "Content-Length",
          actual: framing,
        });
      if (framing !== "header") return;
      if (alone !== undefined)
        api.require(alone, before === undefined, entry, {
          message: "a line between two messages, which belongs to neither",
          expected: "a header right behind the body before it",
          actual: before,
        });
      api.require(ended, ending !== "line feed", entry, {
        message: "a header whose lines end with a line feed alone",
        expected: "Content-Length: <bytes>\\r\\n\\r\\n",
        actual: detail,
      });
      if (separated !== undefined)
        api.require(
          separated,
          detail.split("\r\n").every((line) => /^[^:]+: [^ ]/.test(line)),
          entry,
          {
            message: "a header field that is not a name and a value",
            expected: "a colon and a space between them",
            actual: detail,
          },
        );
      if (charset !== undefined)
        api.require(charset, !otherCharset.test(detail), entry, {
          message: "a header that names another charset",
          expected: "utf-8",
          actual: detail,
        });
      if (listed === undefined) return;
      const right = detail.split("\r\n").every((line) => known.test(line) && spelled.test(line));
      api.require(listed, right, entry, {
        message: "a header that is not listed, or in another form",
        expected: "Content-Length: <bytes>, and perhaps Content-Type, with utf-8 as its charset",
        actual: detail,
      });
    },
  }));
}
