import {
  EcaErrorCode,
  errorWord,
  isRequestCancelled,
  isServerNotInitialized,
  serverNotInitialized,
} from "@editwire/eca-schema";
import { RemoteError, WireError } from "@editwire/core";
import { expect, test } from "vitest";

test("each answer is recognised by its code, and by nothing else", () => {
  expect(serverNotInitialized("chat/prompt")).toMatchObject({ code: -32002, data: { method: "chat/prompt" } });
  expect(isServerNotInitialized(serverNotInitialized("x"))).toBe(true);
  expect(isServerNotInitialized(new WireError("closed", "x"))).toBe(false);
  expect(isRequestCancelled(new RemoteError(EcaErrorCode.RequestCancelled, "cancelled"))).toBe(true);
  expect(isRequestCancelled(new RemoteError(-32603, "cancelled"))).toBe(false);
});

test.each([
  [new RemoteError(-32603, "No such chat", { code: "chat_not_found", message: "No such chat" }), "chat_not_found"],
  [new RemoteError(-32603, "Internal error", { code: 7 }), undefined],
  [new RemoteError(-32603, "Internal error", "chat_not_found"), undefined],
  [new Error("chat_not_found"), undefined],
  [undefined, undefined],
])("errorWord: %s is %s", (error, word) => {
  expect(errorWord(error)).toBe(word);
});
