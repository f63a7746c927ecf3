import { unsupportedVersion, unsupportedVersionOf } from "@editwire/acp-schema/v2";
import { RemoteError } from "@editwire/core";
import { expect, test } from "vitest";

test("the answer to an unsupported version names both sides' versions", () => {
  const error = unsupportedVersion(0, [1, 2]);
  expect(error).toMatchObject({ code: -32022, data: { requested: 0, supported: [1, 2] } });
  expect(unsupportedVersionOf(error)).toEqual({ requested: 0, supported: [1, 2] });
});

test("is read as far as it says something", () => {
  expect(unsupportedVersionOf(new RemoteError(-32022, "no"))).toEqual({});
  expect(unsupportedVersionOf(new RemoteError(-32022, "no", { requested: "1", supported: [2, "x"] }))).toEqual({
    supported: [2],
  });
});

test("is no other error", () => {
  expect(unsupportedVersionOf(new RemoteError(-32602, "unsupported protocol version"))).toBeUndefined();
  expect(unsupportedVersionOf(new Error("no"))).toBeUndefined();
});
