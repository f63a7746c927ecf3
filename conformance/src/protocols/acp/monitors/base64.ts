import { isObject } from "@editwire/core";
import { defineMonitor } from "../../../core/talk/monitor.js";
import { textOf } from "./fields.js";

const req = "ACP-SCHEMA-session/prompt:params";

/** The bytes that a prompt sends are in base64. */
export const base64Monitor = defineMonitor(
  { id: "acp.client.base64", title: "pictures, recordings and blobs are in base64", req: [req], role: "client" },
  (api) => ({
    message({ from, is, entry }) {
      if (from !== "target" || is.kind !== "request" || is.method !== "session/prompt" || !isObject(is.params)) return;
      const blocks: readonly unknown[] = Array.isArray(is.params["prompt"]) ? is.params["prompt"] : [];
      const bytes = blocks.map((block) => bytesOf(block)).filter((text) => text !== "");
      const wrong = bytes.find((text) => !isBase64(text));
      api.require(req, wrong === undefined, entry, {
        message: "bytes that are not in base64",
        expected: "base64",
        actual: wrong?.slice(0, 100),
      });
    },
  }),
);

/** The base64 data of a content block; `""` if it has none. */
function bytesOf(block: unknown): string {
  if (!isObject(block)) return "";
  return block["type"] === "resource" ? textOf(block["resource"], "blob") : textOf(block, "data");
}

/** Padding may be missing, and lines may be broken, as encoders do both. */
function isBase64(text: string): boolean {
  const digits = text.replaceAll(/[\r\n]/g, "").replace(/={1,2}$/, "");
  return digits.length % 4 !== 1 && /^[A-Za-z\d+/]*$/.test(digits);
}
