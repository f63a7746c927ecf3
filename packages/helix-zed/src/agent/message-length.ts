/**
 * Characters of a message at most, in either direction. The frame of such a message stays below the 64 MiB that both
 * sides read by default.
 */
export const maxMessageLength = 10 * 1024 * 1024;
