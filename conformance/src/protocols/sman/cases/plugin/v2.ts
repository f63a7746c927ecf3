import type { Case } from "../../../../core/run/case.js";
import { defineCases } from "../../plugin-role.js";
import { v2Chat, v2News } from "../../v2.js";

/** Cases about plugins of sman 2.0: the profile `v2`. */
export const v2Cases: readonly Case[] = defineCases({
  "v2.news": {
    title: "messages of a 2.0 backend do no harm",
    emits: ["SMAN-V2-021"],
    async run(t) {
      for (const message of v2News(String(t.socket.id))) t.send.invalid(message);
      await t.require("SMAN-V2-021", t.works());
    },
  },
  "v2.chat": {
    title: "calls before, during and after a chat are executed",
    emits: ["SMAN-V2-022"],
    async run(t) {
      await t.require("SMAN-V2-022", t.works());
      for (const message of v2Chat(String(t.socket.id))) {
        t.send.invalid(message);
        await t.require("SMAN-V2-022", t.works());
      }
    },
  },
});
