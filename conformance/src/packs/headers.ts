import { isObject } from "@editwire/core";
import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";
import { idKey } from "../core/talk/message.js";
import { where } from "../trace/pattern.js";

/** Forms of a header that peers write; all of them say the same. */
const forms = {
  "lower-case": (size: number) => `content-length: ${size}\r\n\r\n`,
  "line-feeds": (size: number) => `Content-Length: ${size}\n\n`,
  "no-space": (size: number) => `Content-Length:${size}\r\n\r\n`,
  "more-fields": (size: number) =>
    `Content-Length: ${size}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
  "content-type-first": (size: number) =>
    `Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: ${size}\r\n\r\n`,
  "no-charset": (size: number) => `Content-Length: ${size}\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n`,
} as const;

/** A form of a header. */
export type HeaderForm = keyof typeof forms;

/** Facts about a byte stream whose messages have a header with their Content-Length. */
export interface HeaderFacts<T extends CaseContext = CaseContext> {
  /** The beginning of the cases' ids: `<protocol>.<role>`. */
  readonly prefix: string;
  readonly role: string;
  readonly transports?: readonly string[] | undefined;
  /** The requirement that a header of each form is read; only these forms are sent. */
  readonly forms: Readonly<Partial<Record<HeaderForm, string>>>;
  /** The requirement that messages are read in pieces, and several in one piece. */
  readonly pieces: string;
  /** How a message in another charset is refused. */
  readonly charset?: CharsetFacts<T> | undefined;
  /** Makes the handshake if nobody did. */
  ready(t: T): Promise<void>;
}

interface CharsetFacts<T extends CaseContext> {
  /** A message in another charset is answered with an error, and the target goes on. */
  readonly requirement: string;
  /** A request that the target would serve if it were in UTF-8. */
  readonly request: { readonly method: string; readonly params: unknown };
  /** Makes sure that the target still answers; an expectation like any other. */
  alive(t: T): Promise<void>;
}

/** How a message is cut. */
const cuts: Readonly<Record<string, (bytes: Uint8Array) => readonly Uint8Array[]>> = {
  bytes: (bytes) => [...bytes].map((byte) => Uint8Array.of(byte)),
  halves: (bytes) => [bytes.subarray(0, 30), bytes.subarray(30)],
};

const PIECE_MS = 20;

const plain = (size: number): string => `Content-Length: ${size}\r\n\r\n`;

/** A request as the bytes of one message, and its id. */
function request<T extends CaseContext>(t: T, header: (size: number) => string): { bytes: Uint8Array; id: unknown } {
  const id = t.conversation.freshId();
  const message = { jsonrpc: "2.0", id, method: "_conformance/framed", params: { text: "ä€😀 — 世界" } };
  t.conversation.link.trace.add({ kind: "message", from: "suite", message });
  const body = Buffer.from(JSON.stringify(message));
  return { bytes: Buffer.concat([Buffer.from(header(body.length)), body]), id };
}

/** The answer to a request, or to one that could not be read. */
const answers = (...ids: readonly unknown[]): ((message: unknown) => boolean) =>
  where(
    `an answer to the request ${ids.map(idKey).join(" or ")}`,
    (message: unknown) => isObject(message) && ids.includes(message["id"]) && !("method" in message),
  );

/** Sends a request in the usual form, and waits for its answer: a target that gives none is not judged by others. */
async function usual<T extends CaseContext>(t: T, { ready }: HeaderFacts<T>): Promise<unknown> {
  await ready(t);
  const { bytes, id } = request(t, plain);
  t.send.bytes(bytes);
  return t.expect.message(answers(id));
}

/** The code of an answer that is an error. */
function codeOf(answer: unknown): unknown {
  return isObject(answer) && isObject(answer["error"]) ? answer["error"]["code"] : undefined;
}

/** The second one has the bytes of UTF-8 where a message is ASCII, so that only its header tells it apart. */
const charsets = [
  ["utf-16", "utf16le"],
  ["iso-8859-1", "latin1"],
] as const;

/** A message in a charset that nobody has to read. */
function charsetCase<T extends CaseContext>(
  { requirement, request: served, alive }: CharsetFacts<T>,
  facts: HeaderFacts<T>,
): Case {
  const { prefix, role } = facts;
  return defineCase<T>(
    {
      id: `${prefix}.framing.charset`,
      role,
      isolation: "rough",
      title: "another charset is answered with an error",
      emits: [requirement],
    },
    async (t) => {
      await usual(t, facts);
      for (const [charset, encoding] of charsets) {
        const id = t.conversation.freshId();
        const message = { jsonrpc: "2.0", id, ...served };
        t.conversation.link.trace.add({ kind: "message", from: "suite", message });
        const body = Buffer.from(JSON.stringify(message), encoding);
        const type = `Content-Type: application/vscode-jsonrpc; charset=${charset}`;
        t.send.bytes(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n${type}\r\n\r\n`), body]));
        const answer = await t.require(requirement, t.expect.message(answers(null, id), { deadline: 1_000 }));
        t.check(requirement, codeOf(answer) !== undefined, { expected: "an error", actual: answer });
        await t.require(requirement, alive(t));
      }
    },
  );
}

/** Headers in every form, messages in pieces, and several messages in one piece. */
export function headerCases<T extends CaseContext>(facts: HeaderFacts<T>): readonly Case[] {
  const { prefix, role, transports, pieces } = facts;
  // They cut the bytes themselves, so they name no faults and are not repeated over those of the fault axis.
  const header = { role, transports, isolation: "rough", framing: "header", faults: [] } as const;
  return [
    ...(Object.entries(facts.forms) as [HeaderForm, string][]).map(([form, req]) =>
      defineCase<T>(
        {
          ...header,
          id: `${prefix}.framing.header-${form}`,
          title: `a header in another form is read: ${form.replaceAll("-", " ")}`,
          emits: [req],
        },
        async (t) => {
          const expected = await usual(t, facts);
          const { bytes, id } = request(t, forms[form]);
          t.send.bytes(bytes);
          const actual = await t.require(req, t.expect.message(answers(id)));
          // An error because of the header would be an answer, too.
          t.check(req, codeOf(actual) === codeOf(expected), { expected, actual });
        },
      ),
    ),
    ...Object.entries(cuts).map(([name, cut]) =>
      defineCase<T>(
        {
          ...header,
          id: `${prefix}.framing.split-${name}`,
          title: `a message in pieces is read: ${name}`,
          emits: [pieces],
        },
        async (t) => {
          await usual(t, facts);
          const { bytes, id } = request(t, plain);
          const [first = bytes, ...rest] = cut(bytes);
          t.send.bytes(first);
          await t.pace(PIECE_MS); // without it, both are mostly read as one
          for (const piece of rest) t.send.bytes(piece);
          await t.require(pieces, t.expect.message(answers(id)));
        },
      ),
    ),
    defineCase<T>(
      { ...header, id: `${prefix}.framing.many`, title: "ten messages in one piece are read", emits: [pieces] },
      async (t) => {
        await usual(t, facts);
        const all = Array.from({ length: 10 }, () => request(t, plain));
        t.send.bytes(Buffer.concat(all.map(({ bytes }) => bytes)));
        for (const { id } of all) await t.require(pieces, t.expect.message(answers(id)));
      },
    ),
    ...(facts.charset === undefined ? [] : [charsetCase(facts.charset, facts)]),
  ];
}
