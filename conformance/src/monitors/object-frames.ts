import { isObject } from "@editwire/core";
import { defineMonitor, type Monitor } from "../core/talk/monitor.js";

/** Judges a WebSocket: every frame is a text with one JSON object. */
export function objectFrameMonitor(req: string, prefix: string): Monitor {
  const header = { id: `${prefix}.frame`, title: "every frame is a text with one JSON object", req: [req] };
  return defineMonitor(header, (api) => ({
    message({ from, entry }) {
      if (from !== "target") return;
      const findings = { message: "a frame without an object", expected: "one JSON object", actual: entry.message };
      if (!api.require(req, isObject(entry.message), entry, findings)) api.fatal(entry, findings.message);
    },
    malformed(entry) {
      api.require(req, false, entry, {
        message: entry.problem,
        expected: "a text with one JSON object",
        actual: entry.excerpt,
      });
      api.fatal(entry, `${entry.problem}: ${JSON.stringify(entry.excerpt.slice(0, 120))}`);
    },
  }));
}
