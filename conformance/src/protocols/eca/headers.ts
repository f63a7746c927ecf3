import type { HeaderFacts } from "../../packs/headers.js";

const form = "ECA-FRAME-005";

/** Input that both roles must read: headers in every form that the specification has, and messages in pieces. */
export const headers = {
  forms: { "lower-case": form, "no-space": form, "more-fields": form, "content-type-first": form, "no-charset": form },
  pieces: "ECA-FRAME-004",
} satisfies Pick<HeaderFacts, "forms" | "pieces">;
