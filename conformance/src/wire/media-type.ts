/** The media type in a `Content-Type` header, in lower case and without parameters. */
export const mediaType = (header: unknown): string => String(header).split(";")[0]?.trim().toLowerCase() ?? "";
