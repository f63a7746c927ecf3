import { type Case, defineCase } from "../../../../core/case.js";
import type { PluginContext } from "../../plugin-role.js";
import { v2Chat, v2News } from "../../v2.js";

const role = "plugin";

/** What plugins of sman 2.0 do besides the specification: the profile `v2`. */
export const v2Cases: readonly Case[] = [
  defineCase<PluginContext>(
    {
      role,
      id: "sman.plugin.v2.news",
      title: "messages of a 2.0 backend do no harm",
      emits: ["SMAN-V2-021"],
    },
    async (t) => {
      for (const message of v2News(String(t.socket.id))) t.send.invalid(message);
      await t.require("SMAN-V2-021", t.works());
    },
  ),
  defineCase<PluginContext>(
    {
      role,
      id: "sman.plugin.v2.chat",
      title: "calls before, in and after a chat are executed",
      emits: ["SMAN-V2-022"],
    },
    async (t) => {
      await t.require("SMAN-V2-022", t.works());
      for (const message of v2Chat(String(t.socket.id))) {
        t.send.invalid(message);
        await t.require("SMAN-V2-022", t.works());
      }
    },
  ),
];
