import type { Forms, Protocol } from "@editwire/core";
import type { TaggedOptions, TaggedWire } from "./options.js";
import { type ReplyTable, repliesOf } from "./replies.js";

/** The data that the parts of one tagged peer share. */
export interface Dialect extends ReplyTable, Pick<TaggedOptions, "failure" | "readFailure" | "newId" | "strayReply"> {
  readonly protocol: Protocol;
  readonly self: string;
  /** The forms in which this side sends. */
  readonly mine: Forms;
  /** The forms in which the other end sends. */
  readonly theirs: Forms;
  readonly strict: boolean;
}

/** Reads the protocol and its envelope once. Throws a `TypeError` for a table whose calls lack a reply. */
export function dialectOf<P extends Protocol>(wire: TaggedWire<P>, options: TaggedOptions): Dialect {
  const { protocol, self, envelope } = wire;
  const { strict = false, failure, readFailure, newId, strayReply } = options;
  const other = protocol.roles.find((role) => role !== self) ?? self;
  const forms = envelope as Readonly<Record<string, Forms>>;
  const mine = formsOf(forms, self);
  const theirs = formsOf(forms, other);
  const callbacks = { failure, readFailure, newId, strayReply };
  return { ...repliesOf(protocol), protocol, self, mine, theirs, strict, ...callbacks };
}

function formsOf(envelope: Readonly<Record<string, Forms>>, role: string): Forms {
  const forms = envelope[role];
  if (forms === undefined) throw new TypeError(`the envelope has no form for the role "${role}"`);
  return forms;
}
