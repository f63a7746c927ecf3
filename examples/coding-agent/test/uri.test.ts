import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { pathOfUri } from "../src/uri.js";

it("reads the path of a file URI and of no other", () => {
  expect(pathOfUri(pathToFileURL("/a b/c.txt").href)).toBe("/a b/c.txt");
  expect(pathOfUri("https://example.com/c.txt")).toBeUndefined();
  expect(pathOfUri("file://other-host/c.txt")).toBeUndefined();
});
