import { describe, expect, it } from "vitest";
import { result, startBackend } from "./support/backends.js";
import { call, startPlugin } from "./support/plugins.js";

const grep = { pattern: "TODO" };

describe("a result in a frame with other text", () => {
  it("is read behind noise that cannot introduce it", async () => {
    const { dial, diagnostics } = await startBackend();
    const { raw, ide } = await dial();
    const done = ide.call("grep_file", grep);
    const { toolCallId } = await raw.next("TOOL_CALL");
    raw.send(`\u001b]0;IDE\u0007${JSON.stringify(result(toolCallId))}`);
    expect((await done).result).toBe("done");
    expect(diagnostics.map(({ id }) => id)).toEqual(["tagged.glued"]);
  });

  it.each([
    ["cannot be read", (text: string) => text.replace('"done"', "NaN")],
    ["is cut off", (text: string) => text.slice(0, -3)],
  ])("fails its call at once if it %s", async (_name, damage) => {
    const { dial, errors } = await startBackend();
    const { raw, ide } = await dial();
    const lost = ide.call("grep_file", grep);
    const { toolCallId } = await raw.next("TOOL_CALL");
    raw.send(damage(JSON.stringify(result(toolCallId))));
    await expect(lost).rejects.toThrow(/grep_file: the answer cannot be read/);
    expect(errors).toHaveLength(1);
    const done = ide.call("grep_file", grep);
    raw.send(result((await raw.next("TOOL_CALL"))["toolCallId"]));
    expect((await done).result).toBe("done");
  });
});

describe("a call in a frame with other text", () => {
  it("is answered at once with a failure if it cannot be read", async () => {
    const { backend } = await startPlugin({ grep_file: () => "found" });
    backend.send(JSON.stringify(call("1", "grep_file", { pattern: 7 })).replace("7", "NaN"));
    const { data } = await backend.next("TOOL_RESULT");
    expect(data).toMatchObject({ toolCallId: "1", success: false, error: "消息无法解析" });
  });
});
