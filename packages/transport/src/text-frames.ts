import { randomFillSync } from "node:crypto";

const maskBytes = 4;
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
  const length = Buffer.byteLength(text);
  const header = length < 126 ? 2 : 4;
  const body = start + header + (masked ? maskBytes : 0);
  frames.write(text, body);
  frames[start] = 0x81;
  frames[start + 1] = (length < 126 ? length : 126) | (masked ? 0x80 : 0);
  if (header === 4) frames.writeUInt16BE(length, start + 2);
  if (masked) mask(frames, start + header, body, length);
  return body + length;
}

function mask(frames: Buffer, at: number, body: number, length: number): void {
  if (usedMasks === masks.length) {
    randomFillSync(masks);
    usedMasks = 0;
  }
  const a = (frames[at] = masks[usedMasks] ?? 0);
  const b = (frames[at + 1] = masks[usedMasks + 1] ?? 0);
  const c = (frames[at + 2] = masks[usedMasks + 2] ?? 0);
  const d = (frames[at + 3] = masks[usedMasks + 3] ?? 0);
  usedMasks += maskBytes;
  const end = body + length;
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
