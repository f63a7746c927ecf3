import { ecaProfiles } from "@editwire/eca-schema";
import { expect, test } from "vitest";
import { receive } from "./support/package.js";

test.each(["initialized", "shutdown", "exit"])(
  "%s takes no params, null, {} and [] alike (A22, S12)",
  async (method) => {
    for (const wire of [undefined, null, {}, []])
      expect((await receive(ecaProfiles.spec, method, "params", wire)).value).toEqual({});
  },
);

test("what cannot be made up is refused with the place", async () => {
  await expect(
    receive(ecaProfiles.spec, "chat/prompt", "params", { requestId: "1", message: null }),
  ).rejects.toMatchObject({
    code: -32602,
    data: [{ path: "params.message", message: "expected string, received null" }],
  });
});
