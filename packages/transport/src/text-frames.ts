import { randomFillSync } from "node:crypto";

/** Bytes of a mask. */
export const maskBytes = 4;
/** Masks are taken from a pool: a call for random bytes costs more than a small frame. */
const masks = Buffer.allocUnsafe(8 * 1024);
let usedMasks = masks.length;

/** Characters of a text at most: its frame then needs no long form of a length. */
export const maxFrameLength = 16 * 1024;

/**
 * Encodes texts as one text frame each (RFC 6455, 5.2), all in one buffer: a socket library that writes frame by frame spends more
 * on that than on small messages themselves. A client's frames are masked (5.3).
 */
export function textFrames(texts: readonly string[], masked: boolean): Buffer {
  let size = 0;
  for (const text of texts) size += 4 + maskBytes + text.length * 3;
  const frames = Buffer.allocUnsafe(size);
  let end = 0;
  for (const text of texts) end = writeFrame(frames, end, text, masked);
  return frames.subarray(0, end);
}

function writeFrame(frames: Buffer, start: number, text: string, masked: boolean): number {
  // Asking for a text's bytes takes as long as writing them; a text of many characters needs the longer header anyway.
  const header = text.length < 126 && Buffer.byteLength(text) < 126 ? 2 : 4;
  const body = start + header + (masked ? maskBytes : 0);
  const length = frames.write(text, body);
  frames[start] = 0x81;
  frames[start + 1] = (header === 2 ? length : 126) | (masked ? 0x80 : 0);
  if (header === 4) frames.writeUInt16BE(length, start + 2);
  if (masked) {
    writeMask(frames, body - maskBytes);
    toggleMask(frames, body, body + length);
  }
  return body + length;
}

function writeMask(frames: Buffer, at: number): void {
  if (usedMasks === masks.length) {
    randomFillSync(masks);
    usedMasks = 0;
  }
  for (let i = 0; i < maskBytes; i += 1) frames[at + i] = masks[usedMasks + i] ?? 0;
  usedMasks += maskBytes;
}

/** Masks what stands from `body` to `end`, or unmasks it, with the four bytes before it (RFC 6455, 5.3). */
export function toggleMask(frames: Buffer, body: number, end: number): void {
  const a = frames[body - 4] ?? 0;
  const b = frames[body - 3] ?? 0;
  const c = frames[body - 2] ?? 0;
  const d = frames[body - 1] ?? 0;
  let i = body;
  for (; i + 3 < end; i += 4) {
    frames[i] = (frames[i] ?? 0) ^ a;
    frames[i + 1] = (frames[i + 1] ?? 0) ^ b;
    frames[i + 2] = (frames[i + 2] ?? 0) ^ c;
    frames[i + 3] = (frames[i + 3] ?? 0) ^ d;
  }
  if (i < end) frames[i] = (frames[i] ?? 0) ^ a;
  if (i + 1 < end) frames[i + 1] = (frames[i + 1] ?? 0) ^ b;
  if (i + 2 < end) frames[i + 2] = (frames[i + 2] ?? 0) ^ c;
}
