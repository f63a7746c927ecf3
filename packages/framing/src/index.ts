export type { BadFrame, Codec, Frame, Framer, Framing, FramingLimits, Unfinished } from "./codec.js";
export { contentLength } from "./content-length.js";
export { detecting } from "./detecting.js";
export { ndjson } from "./ndjson.js";
export { type Salvage, salvage } from "./salvage.js";
export { readLines, textLines } from "./text-lines.js";
