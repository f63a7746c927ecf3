import { describe, expect, test } from "vitest";
import { protocols } from "../src/index.js";
import { patchOf } from "../src/core/mutant.js";
import { benignForms, benignTexts } from "../src/packs/benign.js";
import { FrameCutter } from "../src/wire/framing.js";

const message = { jsonrpc: "2.0", id: "a/1", result: { text: 'Grüße "漢字"\n\\ 😀', list: [1, { b: null, a: [] }] } };
type Encode = (message: unknown, framing?: "line" | "header") => Uint8Array;
const encodeOf = (one: ReturnType<typeof benignForms>[number]): Encode => patchOf(one)["encode"] as Encode;

/** The role of each protocol whose variants are counted. */
const roles = protocols.flatMap((protocol) => Object.keys(protocol.reference).map((role) => ({ protocol, role })));

describe("benign variants", () => {
  test.each(roles)("there are at least twelve of the $role of $protocol.name", ({ protocol, role }) => {
    const benign = protocol.mutants.filter((one) => one.role === role && one.violates.length === 0);
    expect(benign.length).toBeGreaterThanOrEqual(12);
  });

  test.each(["line", "header"] as const)("in another form (%s), a message says the same", (framing) => {
    const forms = benignForms("acp.agent").map((one) => encodeOf(one)(message, framing));
    for (const bytes of forms) {
      const [cut, ...others] = new FrameCutter().push(bytes);
      expect(others).toEqual([]);
      expect(cut).toMatchObject({ ok: true, message, frame: { framing } });
      expect(Buffer.from(bytes).toString()).not.toContain(JSON.stringify(message));
    }
    expect(new Set(forms.map((bytes) => Buffer.from(bytes).toString())).size).toBe(forms.length);
  });

  test("on a WebSocket, the text is the whole message", () => {
    for (const one of benignTexts("sman.plugin")) expect(JSON.parse(String(encodeOf(one)(message)))).toEqual(message);
  });
});
