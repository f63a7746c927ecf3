import { defineProtocol, notification, openUnion, type Protocol, request, schemaFor } from "@editwire/core";
import * as z from "zod";

/** A small protocol with one method of every sort: a client keeps notes at a server. */
export interface Note {
  [key: string]: unknown;
  text: string;
  stars?: number | undefined;
}
export const Note = schemaFor<Note>()(z.looseObject({ text: z.string(), stars: z.int().optional() }));

export interface Added {
  [key: string]: unknown;
  kind: "added";
  note: Note;
}

export interface Removed {
  [key: string]: unknown;
  kind: "removed";
  id: string;
}

export type Change = Added | Removed;
export const Change = openUnion<Change>("kind", {
  added: z.looseObject({ kind: z.literal("added"), note: Note }),
  removed: z.looseObject({ kind: z.literal("removed"), id: z.string() }),
});

const empty = schemaFor<{ [key: string]: unknown }>()(z.looseObject({}));
const id = schemaFor<{ [key: string]: unknown; id: string }>()(z.looseObject({ id: z.string() }));

const methods = {
  "note/add": request({ from: "client", params: Note, result: id, spec: "#add" }),
  "note/share": request({ from: "client", params: id, result: empty, optional: true }),
  "note/ask": request({ from: "server", params: id, result: Note }),
  "note/changed": notification({
    from: "server",
    params: schemaFor<{ [key: string]: unknown; board: string; change: Change }>()(
      z.looseObject({ board: z.string(), change: Change }),
    ),
  }),
  "note/seen": notification({ from: "client", params: id }),
  ping: request({ from: "both", params: empty, result: empty }),
  log: notification({ from: "both", params: empty }),
};

type Table = typeof methods;
export interface NoteMethods extends Table {}
export type Notes = Protocol<"client" | "server", NoteMethods>;

export const notes: Notes = defineProtocol({
  name: "notes",
  version: "3",
  roles: ["client", "server"],
  session: "board",
  methods,
});
