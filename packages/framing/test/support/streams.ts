import { vi } from "vitest";
import type { BadFrame, Codec, Frame, Framer, FramingLimits } from "@editwire/framing";

/** Where a framer believes to run: with Node's `Buffer`, or with what browsers have. */
export const platforms = ["node", "web"] as const;
export type Platform = (typeof platforms)[number];

export function open(codec: Codec, limits?: FramingLimits, platform: Platform = "node"): Framer {
  if (platform === "node") return codec.open(limits);
  vi.stubGlobal("Buffer", undefined);
  try {
    return codec.open(limits);
  } finally {
    vi.unstubAllGlobals();
  }
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export function concat(...parts: (string | Uint8Array)[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array))));
}

export const header = (length: number | string): string => `Content-Length: ${length}\r\n\r\n`;

/** A message in Content-Length framing, in whatever header it is given. */
export function frame(json: string, head = `Content-Length: ${utf8(json).length}\r\n\r\n`): string {
  return head + json;
}

/** Cuts bytes at the given positions. */
export function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set([0, ...cuts.filter((cut) => cut > 0 && cut < bytes.length), bytes.length])].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, i) => bytes.slice(places[i], end));
}

export const bytewise = (bytes: Uint8Array): Uint8Array[] => Array.from(bytes, (_, i) => bytes.slice(i, i + 1));

/** Everything that a framer has ready. */
export function drain(framer: Framer): Frame[] {
  const frames: Frame[] = [];
  for (let next = framer.next(); next !== undefined; next = framer.next()) frames.push(next);
  return frames;
}

/** Pushes chunk by chunk, reading in between, and ends the stream. */
export function decode(framer: Framer, ...chunks: (string | Uint8Array)[]): Frame[] {
  const frames = chunks.flatMap((chunk) => {
    framer.push(typeof chunk === "string" ? utf8(chunk) : chunk);
    return drain(framer);
  });
  framer.end();
  return [...frames, ...drain(framer)];
}

export const values = (frames: readonly Frame[]): unknown[] => frames.flatMap((each) => (each.ok ? [each.value] : []));

export const bad = (frames: readonly Frame[]): BadFrame[] => frames.flatMap((each) => (each.ok ? [] : [each]));

/** Frames in short: the values, and the codes of what is not a message. */
export const outline = (frames: readonly Frame[]): unknown[] =>
  frames.map((each) => (each.ok ? each.value : each.error.code));
