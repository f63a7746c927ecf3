import { describe, expect, it } from "vitest";
import { urlBelow } from "../src/index.js";

describe("the URL to dial", () => {
  it.each([
    ["http://h", "http://h/acp"],
    ["http://h/", "http://h/acp"],
    ["http://h/acp", "http://h/acp"],
    ["http://h/acp/", "http://h/acp"],
    ["http://h/base/acp?route=1", "http://h/base/acp?route=1"],
    ["http://h/base", "http://h/base/acp"],
    ["http://h/acpx", "http://h/acpx/acp"],
    ["http://h/other-acp", "http://h/other-acp/acp"],
  ])("of %s is %s", (base, url) => {
    expect(urlBelow("dial", "http", base, "/acp").href).toBe(url);
    expect(urlBelow("dial", "ws", new URL(base), "/acp").href).toBe(url.replace("http", "ws"));
  });

  it.each(["http://h", "http://h/acp/rpc", "http://h/acp/sse/"])("may have several paths: %s", (base) => {
    const served = ["/acp/rpc", "/acp/sse"];
    expect(served.map((path) => urlBelow("dial", "http", base, path, served).href)).toEqual([
      "http://h/acp/rpc",
      "http://h/acp/sse",
    ]);
  });

  it("is not another protocol's", () => {
    expect(() => urlBelow("dial", "http", "ws://h", "/acp")).toThrow(
      'dial: expected an http or https URL, received "ws://h"',
    );
  });
});
