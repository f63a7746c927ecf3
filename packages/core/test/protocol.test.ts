import { defineProtocol, methodOf, methodsOf, notification, request, schemaFor } from "@editwire/core";
import { expect, test } from "vitest";
import * as z from "zod";
import { notes } from "./support/note-protocol.js";

const Anything = schemaFor<unknown>()(z.unknown());

test("a definition knows its kind and keeps what it was given", () => {
  expect(request({ from: "client", params: Anything, result: Anything, spec: "#a", optional: true })).toMatchObject({
    kind: "request",
    from: "client",
    spec: "#a",
    optional: true,
  });
  expect(notification({ from: "both", params: Anything })).toMatchObject({ kind: "notification", from: "both" });
});

test("a method sent by a role that the protocol lacks is refused at its declaration", () => {
  const methods = { "a/b": notification({ from: "host", params: Anything }) };
  expect(() => defineProtocol({ name: "p", version: "1", roles: ["client", "server"], methods })).toThrow(
    new TypeError('p: method "a/b" is sent by the unknown role "host"'),
  );
});

test("methods are listed in the table's order", () => {
  expect(methodsOf(notes).map(([name]) => name)).toEqual([
    "note/add",
    "note/share",
    "note/ask",
    "note/changed",
    "note/seen",
    "ping",
    "log",
  ]);
});

test.each(["note/none", "constructor", "toString", "__proto__", ""])("%j is not a method", (name) => {
  expect(methodOf(notes, name)).toBeUndefined();
});

test("a method is found by its name", () => {
  expect(methodOf(notes, "note/add")).toBe(notes.methods["note/add"]);
});
