import { listenAcp } from "@editwire/acp/node";
import { spawnEca } from "@editwire/eca/node";
import { expect, it, onTestFinished } from "vitest";
import { lossyProxy } from "../../acp/test/lossy-proxy.js";
import { editwire } from "./commands.js";

it("a prompt that a proxy answers before its agent runs once, and the editor says so", async () => {
  let goOn = (): void => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const prompts: string[] = [];
  const agent = await listenAcp({
    async prompt(turn) {
      prompts.push(turn.promptText);
      await gate;
      await turn.text(`${turn.promptText} is done`);
    },
  });
  onTestFinished(() => agent.close());
  const { url } = await lossyProxy(agent.url, { "session/prompt": 504 });
  let heard = (_text: string): void => {};
  const late = new Promise<string>((resolve) => (heard = resolve));
  const editor = await spawnEca(editwire("bridge", "--from", "eca", "--to", "acp", "--agent", url), {
    onUpdate: (event) => event.type === "text" && heard(event.text),
  });
  onTestFinished(() => editor.close());
  const session = editor.newSession();
  const read = async (text: string): Promise<string> => {
    let said = "";
    for await (const event of session.prompt(text))
      if (event.type === "text" || event.type === "notice") said += event.text;
    return said;
  };
  expect(await read("delete")).toMatch(/the server answered 504 .*so its outcome is unknown$/);
  goOn();
  expect(await late).toBe("delete is done");
  expect(await read("again")).toBe("again is done");
  expect(prompts).toEqual(["delete", "again"]);
});
