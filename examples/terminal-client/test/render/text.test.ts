import { expect, test } from "vitest";
import { describeContent, describeStop, formatDuration, plural } from "../../src/render/text.js";

test("describeContent names what a terminal cannot show", () => {
  expect(describeContent({ type: "image", data: "A".repeat(8192), mimeType: "image/png" })).toBe(
    "[image image/png 6 KiB]",
  );
  expect(describeContent({ type: "resource_link", uri: "file:///a\u001b", name: "a" })).toBe(
    "[resource_link a file:///a␛]",
  );
  expect(describeContent({ type: "resource", resource: { uri: "file:///a", text: "x" } })).toBe("[resource file:///a]");
});

test("describeStop has words for every reason, and shows one it does not know", () => {
  expect(describeStop("end_turn")).toBe("done");
  expect(describeStop("cancelled")).toBe("cancelled");
  expect(describeStop("_new\u001b" as never)).toBe("stopped: _new␛");
});

test("formatDuration is in seconds, then in minutes", () => {
  expect([80, 12_340, 59_949, 60_000, 125_400].map(formatDuration)).toEqual([
    "0.1 s",
    "12.3 s",
    "59.9 s",
    "1 min 00 s",
    "2 min 05 s",
  ]);
});

test("plural", () => {
  expect([plural(0, "test"), plural(1, "test"), plural(2, "test")]).toEqual(["0 tests", "1 test", "2 tests"]);
});
