import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../client-role.js";
import { v2026Contents, v2026Notifications } from "../../v2026.js";

/** Cases about editors of 2026: the profile `v2026`. */
export const v2026Cases: readonly Case[] = defineCases({
  "v2026.notifications": {
    title: "messages of 2026 servers are tolerated, in a turn and after it",
    emits: ["ECA-V2026-022"],
    async run(t) {
      const turn = await t.prompt(t.chat());
      turn.answer();
      for (const [method, params] of v2026Notifications(turn.chatId)) t.send.notify(method, params);
      turn.end();
      await t.require("ECA-V2026-022", turn.done);
      for (const [method, params] of v2026Notifications(turn.chatId)) t.send.notify(method, params);
      await t.require("ECA-V2026-022", t.works());
    },
  },
  "v2026.contents": {
    title: "contents of the 2026 dialect are tolerated",
    emits: ["ECA-V2026-022"],
    async run(t) {
      const turn = await t.prompt(t.chat());
      turn.answer();
      for (const [from, content] of v2026Contents) turn.content(content, from);
      turn.end();
      await t.require("ECA-V2026-022", turn.done);
      await t.require("ECA-V2026-022", t.works());
    },
  },
  "v2026.diagnostics": {
    title: "an editor that has diagnostics reports them",
    emits: ["ECA-V2026-023"],
    async run(t) {
      const { capabilities } = await t.initialized();
      const assistant = isObject(capabilities) ? capabilities["codeAssistant"] : undefined;
      const editor = isObject(assistant) ? assistant["editor"] : undefined;
      t.needs(isObject(editor) && editor["diagnostics"] === true, "the client does not say that it has diagnostics");
      for (const params of [{}, { uri: "file:///no/such/file" }])
        await t.require("ECA-V2026-023", t.send.request("editor/getDiagnostics", params).result());
    },
  },
  "v2026.cleared": {
    title: "a chat that the server clears is shown as empty",
    emits: ["ECA-V2026-024"],
    async run(t) {
      const chat = t.chat();
      const turn = await t.prompt(chat);
      turn.answer();
      turn.content({ type: "text", text: "to be forgotten" });
      turn.end();
      await turn.done;
      t.send.notify("chat/cleared", { chatId: turn.chatId, messages: true });
      await t.works();
      const { text } = await t.report(chat);
      t.needs(typeof text === "string", "the client does not report what it shows");
      t.check("ECA-V2026-024", !String(text).includes("forgotten"), { expected: "nothing", actual: text });
    },
  },
});
