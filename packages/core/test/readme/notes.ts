import { connect, defineProtocol, notification, type Peer, request, schemaFor } from "@editwire/core";
import * as z from "zod";

interface Note {
  [key: string]: unknown;
  text: string;
}
const Note = schemaFor<Note>()(z.looseObject({ text: z.string() }));

interface Added {
  [key: string]: unknown;
  id: string;
}
const Added = schemaFor<Added>()(z.looseObject({ id: z.string() }));

const notes = defineProtocol({
  name: "notes",
  version: "1",
  roles: ["client", "server"],
  methods: {
    "note/add": request({ from: "client", params: Note, result: Added }),
    "note/changed": notification({ from: "server", params: Added }),
  },
});

export async function add(peer: Peer, text: string): Promise<string> {
  const connection = connect(notes, "client", peer, {
    "note/changed": ({ id }) => console.log(`${id} changed`),
  });
  const { id } = await connection.request("note/add", { text });
  return id;
}
