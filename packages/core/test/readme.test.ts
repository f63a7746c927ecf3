import { expect, test, vi } from "vitest";
import { add } from "./readme/notes.js";
import { context, peerDouble } from "./support/peer-double.js";

test("the README's protocol calls and is called", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  const peer = peerDouble(() => ({ id: "n-1" }));
  expect(await add(peer, "Buy milk")).toBe("n-1");
  expect(peer.sent).toEqual([{ method: "note/add", params: { text: "Buy milk" } }]);
  peer.handler.notification("note/changed", { id: "n-2" }, context);
  expect(log).toHaveBeenCalledWith("n-2 changed");
  log.mockRestore();
});
