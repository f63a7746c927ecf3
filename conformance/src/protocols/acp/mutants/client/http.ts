import { mutant } from "../../../../core/mutant.js";
import { type EventReader, type HttpClientBehavior, rightHttpClient } from "../../reference/http-client.js";
import { broken } from "./patch.js";

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
  ...broken({
    "another-id-for-every-post": ["HTTP-009", {}, { http: http({ postId: (id, count) => `${id}-${count}` }) }],
    "another-id-for-the-stream": ["HTTP-009", {}, { http: http({ streamId: (id) => `${id}-stream` }) }],
    "data-with-a-space": ["HTTP-010", {}, { http: http({ reader: () => patternReader(/^data: (.*)\r?\n\r?\n/m) }) }],
    "events-are-data-alone": ["HTTP-010", {}, { http: http({ reader: plainReader }) }],
    "does-not-open-again": ["HTTP-011", {}, { http: http({ reopens: false }) }],
  }),
  mutant("acp.client/benign-http", { violates: [], cases: ["*"], http: http({ reader: rightHttpClient.reader }) }),
];
