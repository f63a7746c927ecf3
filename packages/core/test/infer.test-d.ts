import {
  type Connection,
  defineProtocol,
  type HandlerContext,
  type Handlers,
  type NotificationName,
  openUnion,
  type ParamsOf,
  type Profile,
  type Protocol,
  type RequestName,
  request,
  type ResultOf,
  type RoleOf,
  type Schema,
  schemaFor,
  type UnknownTag,
} from "@editwire/core";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { Change, Note, Notes } from "./support/note-protocol.js";

describe("names and roles", () => {
  test("each role sends its own methods and those of both", () => {
    expectTypeOf<RoleOf<Notes>>().toEqualTypeOf<"client" | "server">();
    expectTypeOf<RequestName<Notes, "client">>().toEqualTypeOf<"note/add" | "note/share" | "ping">();
    expectTypeOf<RequestName<Notes, "server">>().toEqualTypeOf<"note/ask" | "ping">();
    expectTypeOf<NotificationName<Notes, "client">>().toEqualTypeOf<"note/seen" | "log">();
    expectTypeOf<NotificationName<Notes, "server">>().toEqualTypeOf<"note/changed" | "log">();
  });
});

describe("params and results", () => {
  test("are the schema's types", () => {
    expectTypeOf<ParamsOf<Notes, "note/add">>().toEqualTypeOf<Note>();
    expectTypeOf<ResultOf<Notes, "note/add">>().toEqualTypeOf<{ [key: string]: unknown; id: string }>();
    expectTypeOf<ParamsOf<Notes, "note/changed">["change"]>().toEqualTypeOf<Change>();
  });

  test("are never for what is not there", () => {
    expectTypeOf<ParamsOf<Notes, "note/none">>().toBeNever();
    expectTypeOf<ResultOf<Notes, "log">>().toBeNever();
  });
});

describe("handlers", () => {
  type Server = Handlers<Notes, "server">;

  test("a required request is a required key; optional ones and notifications are not", () => {
    expectTypeOf<Server["note/add"]>().toEqualTypeOf<
      (params: Note, context: HandlerContext) => ResultOf<Notes, "note/add"> | Promise<ResultOf<Notes, "note/add">>
    >();
    const least: Server = { "note/add": () => ({ id: "1" }), ping: () => ({}) };
    const all: Server = {
      ...least,
      "note/share": async () => ({}),
      "note/seen": ({ id }) => void id,
      log: async () => {},
    };
    // @ts-expect-error ping must be answered
    const missing: Server = { "note/add": () => ({ id: "1" }) };
    const foreign: Server = {
      ...least,
      // @ts-expect-error the server sends this one itself
      "note/ask": () => ({ text: "a" }),
    };
    const wrong: Server = {
      ...least,
      // @ts-expect-error the result lacks its id
      "note/add": () => ({}),
    };
    void [all, missing, foreign, wrong];
  });
});

describe("calls", () => {
  const connection = null as unknown as Connection<Notes, "client">;

  test("a call's result follows from its name", () => {
    const add = () => connection.request("note/add", { text: "a" });
    expectTypeOf(add).returns.resolves.toEqualTypeOf<{ [key: string]: unknown; id: string }>();
  });

  test("wrong calls do not compile", () => {
    // @ts-expect-error the text is missing
    const bare = () => connection.request("note/add", {});
    // @ts-expect-error only the server asks
    const foreign = () => connection.request("note/ask", { id: "1" });
    // @ts-expect-error a request is not a notification
    const notified = () => connection.notify("note/add", { text: "a" });
    void [bare, foreign, notified];
  });
});

describe("declaring", () => {
  test("a table is any object of definitions, and other values are none", () => {
    const methods = {
      a: request({ from: "client", params: schemaFor<string>()(z.string()), result: schemaFor<number>()(z.number()) }),
    };
    const protocol = defineProtocol({ name: "p", version: "1", roles: ["client", "server"], methods });
    expectTypeOf(protocol).toExtend<Protocol<"client" | "server">>();
    expectTypeOf<ResultOf<typeof protocol, "a">>().toEqualTypeOf<number>();
    // @ts-expect-error a string is not a definition
    defineProtocol({ name: "p", version: "1", roles: ["client", "server"], methods: { a: "b" } });
  });

  test("a schema that drifts from its interface does not compile", () => {
    expectTypeOf(schemaFor<{ a: string }>()(z.object({ a: z.string() }))).toEqualTypeOf<Schema<{ a: string }>>();
    // @ts-expect-error the schema has one field too few
    schemaFor<{ a: string; b: string }>()(z.object({ a: z.string() }));
    // @ts-expect-error the schema has one field too many
    schemaFor<{ a: string }>()(z.object({ a: z.string(), b: z.string() }));
    // @ts-expect-error optional in the schema only
    schemaFor<{ a: string }>()(z.object({ a: z.string().optional() }));
    // @ts-expect-error another type, deep inside
    schemaFor<{ a: { b: string }[] }>()(z.object({ a: z.array(z.object({ b: z.number() })) }));
    expectTypeOf(schemaFor<{ a: string }>()(z.looseObject({ a: z.string() }))).toEqualTypeOf<Schema<{ a: string }>>();
    // @ts-expect-error the keys are the user's, and their values are of another type
    schemaFor<Record<string, number>>()(z.record(z.string(), z.string()));
  });

  test("an unknown tag is a string that no known tag is", () => {
    type Shape = { kind: "dot"; x: number } | { kind: UnknownTag };
    expectTypeOf(openUnion<Shape>("kind", {})).toEqualTypeOf<Schema<Shape>>();
    const shape = null as unknown as Shape;
    if (shape.kind === "dot") expectTypeOf(shape.x).toEqualTypeOf<number>();
    else expectTypeOf(shape.kind).toEqualTypeOf<UnknownTag>();
    expectTypeOf<UnknownTag>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<UnknownTag>();
  });
});

describe("a profile's traits", () => {
  test("have the protocol's type, and are required where the protocol has some", () => {
    type Traits = { readonly ids: "client" | "server" };
    type NoteProfile = Profile<Traits>;
    const spec = { name: "spec", traits: { ids: "client" } } satisfies NoteProfile;
    expectTypeOf<NoteProfile["traits"]>().toEqualTypeOf<Traits>();
    expectTypeOf<{ name: string }>().not.toExtend<NoteProfile>();
    expectTypeOf({ ...spec, name: "mine" }).toExtend<NoteProfile>();
  });

  test("do not matter to a connection", () => {
    expectTypeOf<Profile<{ readonly strictIds: boolean }>>().toExtend<Profile>();
    expectTypeOf<{ name: string }>().toExtend<Profile>();
  });
});
