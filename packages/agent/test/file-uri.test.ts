import { expect, it } from "vitest";
import { fileUri, pathOf } from "../src/shared/file-uri.js";

it.each([
  ["/a b/100%/c#d?e", "file:///a%20b/100%25/c%23d%3Fe", "/a b/100%/c#d?e"],
  ["C:\\a b\\c", "file:///C:/a%20b/c", "C:/a b/c"],
  ["\\\\wsl$\\Ubuntu\\home\\a b", "file://wsl$/Ubuntu/home/a%20b", "\\\\wsl$\\Ubuntu\\home\\a b"],
])("the path %j is the URI %j", (path, uri, back) => {
  expect(fileUri(path)).toBe(uri);
  expect(pathOf(uri)).toBe(back);
});

it.each([
  ["file:///c%3A/a", "c:/a"],
  ["file://localhost/a", "/a"],
  ["file:///tmp/100%/%41", "/tmp/100%/%41"],
  ["https://example.org/a%20b", "https://example.org/a%20b"],
])("the URI %j is the path %j", (uri, path) => {
  expect(pathOf(uri)).toBe(path);
});
