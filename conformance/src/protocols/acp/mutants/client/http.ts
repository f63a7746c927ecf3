import { mutant } from "../../../../core/mutant.js";
import { SseCutter } from "../../../../wire/sse.js";
import { type EventReader, type HttpClientBehavior, rightHttpClient } from "../../reference/http-client.js";

/** Overrides of the reference client's HTTP side, checked by the compiler. */
const http = (switches: Partial<HttpClientBehavior>): Partial<HttpClientBehavior> => switches;

/** Reads an event stream with a pattern for one message. */
function patternReader(pattern: RegExp): EventReader {
  let held = "";
  return {
    push(chunk) {
      held += Buffer.from(chunk).toString("utf8");
      const found: string[] = [];
      for (let match = pattern.exec(held); match !== null; match = pattern.exec(held)) {
        found.push(match[1] ?? "");
        held = held.slice(match.index + match[0].length);
      }
      return found;
    },
  };
}

/** Takes every line of data for a message. */
function lineReader(): EventReader {
  const cutter = new SseCutter();
  return {
    push: (chunk) => cutter.push(chunk).flatMap((part) => (part.kind === "event" ? part.data.split("\n") : [])),
  };
}

/** Reads events that hold data and nothing else. */
function plainReader(): EventReader {
  let held = "";
  return {
    push(chunk) {
      const blocks = (held + Buffer.from(chunk).toString("utf8")).split(/\r?\n\r?\n/);
      held = blocks.pop() ?? "";
      return blocks
        .filter((block) => block.split("\n").every((line) => line.startsWith("data:")))
        .map((block) => block.replace(/^data: ?/gm, ""));
    },
  };
}

/** Clients that are broken on HTTP. */
export const httpClientMutants = [
  mutant("acp.client/another-id-for-every-post", {
    violates: ["ACP-HTTP-009"],
    http: http({ postId: (id, count) => `${id}-${count}` }),
  }),
  mutant("acp.client/another-id-for-the-stream", {
    violates: ["ACP-HTTP-009"],
    http: http({ streamId: (id) => `${id}-stream` }),
  }),
  mutant("acp.client/events-are-lines", { violates: ["ACP-HTTP-010"], http: http({ reader: lineReader }) }),
  mutant("acp.client/data-with-a-space", {
    violates: ["ACP-HTTP-010"],
    http: http({ reader: () => patternReader(/^data: (.*)\r?\n\r?\n/m) }),
  }),
  mutant("acp.client/events-are-data-alone", { violates: ["ACP-HTTP-010"], http: http({ reader: plainReader }) }),
  mutant("acp.client/does-not-open-again", { violates: ["ACP-HTTP-011"], http: http({ reopens: false }) }),
  mutant("acp.client/benign-http", { violates: [], cases: ["*"], http: http({ reader: rightHttpClient.reader }) }),
];
