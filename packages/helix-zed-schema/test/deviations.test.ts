import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { expect, test } from "vitest";
import { receive } from "./support/package.js";

test("a missing or senseless timestamp counts as now (H24)", async () => {
  for (const timestamp of [undefined, null, "soon", -1, {}, "1e308", 1_759_410_084_123_456]) {
    const wire = { session_id: "s", acp_thread_id: "t", message_id: "m", role: "assistant", content: "", timestamp };
    const { value } = await receive(helixZedProfiles.spec, "message_added", "params", wire);
    expect(Math.abs((value as { timestamp: number }).timestamp - Date.now() / 1_000)).toBeLessThan(5);
  }
});

test("an id that is neither a text nor a number is refused, however deep it is", async () => {
  const deep: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
  for (const message_id of [{}, { toString: 1 }, true, deep]) {
    const wire = { session_id: "s", acp_thread_id: "t", message_id, role: "assistant", content: "", timestamp: 1 };
    await expect(receive(helixZedProfiles.spec, "message_added", "params", wire)).rejects.toThrow(
      "message_id: expected string",
    );
  }
});

test("the forms of 2026 of Helix and Zed, all at once, in either profile (H11)", async () => {
  for (const profile of [helixZedProfiles.spec, helixZedProfiles.v2026]) {
    const { value } = await receive(profile, "message_completed", "params", {
      acp_thread_id: "t",
      message_id: "0",
      request_id: "r",
      agent_name: "zed",
      usage: null,
    });
    expect(value).toMatchObject({ session_id: "", acp_thread_id: "t", message_id: "0" });
    const chat = await receive(profile, "chat_message", "params", {
      session_id: "s",
      acp_thread_id: "",
      message: "m",
      request_id: "r",
      role: "user",
      interrupt: false,
    });
    expect(chat.value).toMatchObject({ helix_session_id: "s", acp_thread_id: null });
  }
});
