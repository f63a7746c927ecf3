import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { toggleMask } from "../src/text-frames.js";
import { TextReader } from "../src/text-reader.js";

const maxBytes = 100_000;
const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBytes, perMessageDeflate: false });

/** Bytes that come in chunks of the test's choice. */
class Wire extends Duplex {
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}

/** A server's end of a WebSocket over a wire. */
async function open(): Promise<{ wire: Wire; socket: WebSocket }> {
  const wire = new Wire();
  const request = new IncomingMessage(new Socket());
  request.method = "GET";
  request.headers = {
    connection: "upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
  };
  const socket = await new Promise<WebSocket>((resolve) =>
    sockets.handleUpgrade(request, wire, Buffer.alloc(0), resolve),
  );
  return { wire, socket };
}

interface Frame {
  /** FIN, RSV and opcode. */
  readonly first: number;
  readonly body: Buffer;
  readonly masked: boolean;
  /** Bytes of the length's field; the longer ones may hold small lengths too. */
  readonly width: 0 | 2 | 8;
}

function encode({ first, body, masked, width }: Frame): Buffer {
  const short = width === 2 || (width === 0 && body.length > 125) ? 126 : width === 8 ? 127 : body.length;
  const isLong = short === 127 || body.length > 65_535;
  const length = Buffer.alloc(isLong ? 8 : short === 126 ? 2 : 0);
  if (isLong) length.writeBigUInt64BE(BigInt(body.length));
  else if (short === 126) length.writeUInt16BE(body.length);
  const mask = masked ? Buffer.from([0xa1, 0x02, 0xff, 0x00]) : Buffer.alloc(0);
  const head = Buffer.concat([Buffer.from([first, (isLong ? 127 : short) | (masked ? 0x80 : 0)]), length, mask]);
  const frame = Buffer.concat([head, body]);
  if (masked) toggleMask(frame, head.length, frame.length);
  return frame;
}

/** Everything that a program hears of a WebSocket onto which the chunks come, in order; at the end it is lost, with the last one unread, or ended. */
async function hear(
  chunks: readonly Buffer[],
  withReader: boolean,
  lost = false,
): Promise<{ heard: string[]; read: number }> {
  const { wire, socket } = await open();
  const heard: string[] = [];
  let read = 0;
  const onText = (text: string): void => {
    read += 1;
    heard.push(`text ${text}`);
  };
  const reader = withReader ? TextReader.over(wire, { masked: true, maxBytes, onText }) : undefined;
  socket.on("message", (data, isBinary) => {
    reader?.told();
    heard.push(isBinary ? `binary ${(data as Buffer).toString("hex")}` : `text ${(data as Buffer).toString("utf8")}`);
  });
  socket.on("ping", (data) => heard.push(`ping ${data.toString("hex")}`));
  socket.on("pong", (data) => heard.push(`pong ${data.toString("hex")}`));
  socket.on("error", (error) => heard.push(`error ${(error as NodeJS.ErrnoException).code ?? error.message}`));
  const closed = new Promise<number>((resolve) => socket.on("close", resolve)); // `once` would reject with the error before it
  for (const [i, chunk] of chunks.entries()) {
    if (lost && i === chunks.length - 1) socket.pause();
    wire.push(Buffer.from(chunk)); // a copy: what is masked is unmasked in its place
    await nextTurn();
  }
  if (lost) wire.destroy();
  else wire.push(null);
  heard.push(`close ${await closed}`);
  return { heard, read };
}

const text = (body: string | Buffer, frame: Partial<Frame> = {}): Buffer =>
  encode({ first: 0x81, body: Buffer.from(body as string), masked: true, width: 0, ...frame });

/** Cuts bytes at every one of these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...ends]
    .map((start, i) => bytes.subarray(start, ends[i] ?? bytes.length))
    .filter((chunk) => chunk.length > 0);
}

const string = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.nat(130).map((size) => "x".repeat(size)),
  fc.constantFrom("é".repeat(62), "é".repeat(63), "y".repeat(65_535), "z".repeat(65_536), "\uFFFD"),
);
const usual = string.map((body) => text(body));
const odd: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .record({ body: string, width: fc.constantFrom<2 | 8>(2, 8) })
    .map(({ body, width }) => text(body, Buffer.byteLength(body) > 65_535 ? {} : { width })),
  fc
    .record({ first: fc.constantFrom(0x89, 0x8a), body: fc.uint8Array({ maxLength: 125 }) })
    .map(({ first, body }) => text(Buffer.from(body), { first })),
  string.map((body) =>
    Buffer.concat([
      text(body.slice(0, 3), { first: 0x01 }),
      text("", { first: 0x89 }),
      text(body.slice(3), { first: 0x80 }),
    ]),
  ),
  fc.uint8Array({ maxLength: 300 }).map((body) => text(Buffer.from(body), { first: 0x82 })),
);
/** What breaks the protocol, ends the connection, or never ends itself. */
const breaks: readonly Buffer[] = [
  text(Buffer.from([0x61, 0xff, 0x62])),
  text(Buffer.from([0xa1 ^ 0x61, 0x02 ^ 0x62, 0xff ^ 0x63])), // no UTF-8, but with its mask on it would be
  text(Buffer.from("z".repeat(70_000) + "\xff", "latin1")),
  text("not masked", { masked: false }),
  text(Buffer.from([0x61, 0x62, 0x81 ^ 0x63, 0x04 ^ 0x64]), { masked: false }), // with its own header for a mask it would be a text
  text("reserved", { first: 0xc1 }),
  text("of nothing", { first: 0x80 }),
  Buffer.concat([text("begun", { first: 0x01 }), text("in between")]),
  text("unknown", { first: 0x83 }),
  text("x".repeat(126), { first: 0x89 }),
  text("too large ".repeat(10_001)),
  text(Buffer.from([0x03, 0xe8]), { first: 0x88 }),
  text("", { first: 0x88 }),
  text("never ends").subarray(0, 9),
];
const wrong = fc.oneof(
  fc.constantFrom(...breaks),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);

describe("a text reader", () => {
  it("changes nothing about what is heard, whatever comes in whatever pieces", async () => {
    const frames = fc.array(
      fc.oneof({ weight: 6, arbitrary: usual }, { weight: 3, arbitrary: odd }, { weight: 1, arbitrary: wrong }),
      { minLength: 1, maxLength: 12 },
    );
    const places = fc.oneof(fc.constant([]), fc.array(fc.nat(1_000_000), { maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(frames, places, fc.boolean(), async (some, where, lost) => {
        const chunks = cut(Buffer.concat(some), where);
        const [plain, ours] = [await hear(chunks, false, lost), await hear(chunks, true, lost)];
        expect(ours.heard).toEqual(plain.heard);
      }),
      { numRuns: 400 },
    );
  });

  it("leaves what is wrong to the library, with everything after it", async () => {
    for (const bytes of breaks) {
      for (const chunks of [
        [bytes, text("after")],
        [Buffer.concat([text("before"), bytes, text("after")])],
        [Buffer.concat([text("before"), bytes.subarray(0, 7)]), Buffer.concat([bytes.subarray(7), text("after")])],
      ]) {
        expect((await hear(chunks, true)).heard).toEqual((await hear(chunks, false)).heard);
      }
    }
  });

  it("changes nothing when every byte comes by itself", async () => {
    const bytes = Buffer.concat([
      text("short"),
      text("é".repeat(70)),
      text("ping", { first: 0x89 }),
      text("x".repeat(200)),
      text("", { width: 8 }),
      text(Buffer.from([0xff])),
      text("lost"),
    ]);
    const chunks = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect((await hear(chunks, true)).heard).toEqual((await hear(chunks, false)).heard);
  });

  it("reads every text itself that comes whole", async () => {
    const { heard, read } = await hear(
      [Buffer.concat([text("one"), text("two"), text("", { first: 0x89 }), text("three")]), text("four")],
      true,
    );
    expect(heard).toEqual(["text one", "text two", "ping ", "text three", "text four", "close 1006"]);
    expect(read).toBe(4);
  });

  it("goes on after a text that came in pieces, and not after a fragment", async () => {
    const whole = text("in two pieces");
    const pieces = await hear([whole.subarray(0, 5), Buffer.concat([whole.subarray(5), text("whole")])], true);
    expect(pieces).toEqual({ heard: ["text in two pieces", "text whole", "close 1006"], read: 1 });
    const fragments = await hear(
      [Buffer.concat([text("a", { first: 0x01 }), text("b", { first: 0x80 }), text("whole")])],
      true,
    );
    expect(fragments).toEqual({ heard: ["text ab", "text whole", "close 1006"], read: 0 });
  });

  it("leaves a connection alone that somebody else reads as well", async () => {
    const { wire } = await open();
    wire.on("data", () => {});
    expect(TextReader.over(wire, { masked: true, maxBytes, onText: () => {} })).toBeUndefined();
    wire.destroy();
  });
});
