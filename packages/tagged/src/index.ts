export { taggedPeer } from "./peer.js";
export type { Envelope, Form, Forms } from "./envelope.js";
export type { TaggedOptions, TaggedWire } from "./options.js";
