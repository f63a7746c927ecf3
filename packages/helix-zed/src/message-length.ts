/**
 * Characters of a message at most, in either direction. Whatever they are, its frame then stays below the 64 MiB that both ends read by
 * default: one that is too large would end every connection on which it is sent again.
 */
export const maxMessageLength = 10 * 1024 * 1024;
