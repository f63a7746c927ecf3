import { existsSync, realpathSync } from "node:fs";
import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { workspace } from "../../../../core/run/workspace.js";
import { wholeConfiguration as whole } from "../../samples.js";
import { CONFIGURATION_ERROR } from "../../server-facts.js";
import { defineCases, configureParams, type ServerContext } from "../../server-role.js";

type Json = Record<string, unknown>;
const method = "kaiak/configure";
const sections = ["workspace", "model", "tools", "session", "permissions"];

/** The first field of a configuration that a server reports otherwise. */
function lost(applied: Json): string | undefined {
  return Object.entries(whole).flatMap(([section, fields]) => {
    const found = isObject(applied[section]) ? applied[section] : {};
    return Object.entries(fields).flatMap(([name, value]) => (holds(found[name], value) ? [] : [`${section}.${name}`]));
  })[0];
}

/** A map may have more than what was given, a folder may have another spelling, and what is empty may be absent. */
const holds = (found: unknown, given: unknown): boolean =>
  isObject(given)
    ? isObject(found) && Object.entries(given).every(([name, value]) => found[name] === value)
    : JSON.stringify(found) === JSON.stringify(given) ||
      ((found === undefined || found === null) && isEmpty(given)) ||
      (given === workspace && isWorkspace(found));

const isEmpty = (given: unknown): boolean => given === null || (Array.isArray(given) && given.length === 0);

/** A server may resolve symbolic links, or end a folder with a slash. */
const isWorkspace = (path: unknown): boolean =>
  typeof path === "string" && existsSync(path) && realpathSync(path) === realpathSync(workspace);

/** A configuration that the server accepts, with other sections. */
const given = async (t: ServerContext, sections: Readonly<Record<string, Json>>): Promise<Json> => ({
  ...((await t.configureParams())["configuration"] as Json),
  ...sections,
});

/** How a server is configured. */
export const configureCases: readonly Case[] = defineCases({
  "configure.whole": {
    title: "the answer has what was configured, a message and its warnings",
    emits: ["KAIAK-CONFIG-001", "KAIAK-CONFIG-007"],
    async run(t) {
      await t.configured();
      const call = t.send.request(method, { configuration: whole, reset_existing: false });
      const result = await t.require("KAIAK-CONFIG-001", call.result({ status: "success" }));
      const { configuration_applied, message, warnings } = result;
      // Recordings of the specification's date leave them out, so that the schema takes an answer without them.
      t.check("KAIAK-CONFIG-007", typeof message === "string" && Array.isArray(warnings), {
        expected: "message: a string, warnings: an array",
        actual: result,
      });
      const field = lost(isObject(configuration_applied) ? configuration_applied : {});
      t.check("KAIAK-CONFIG-001", field === undefined, {
        message: `${field} was not applied`,
        expected: whole,
        actual: configuration_applied,
      });
      await t.send.request(method, await t.configureParams()).result();
    },
  },
  "configure.partial": {
    title: "a configuration with only a working_dir is completed with defaults",
    emits: ["KAIAK-CONFIG-005"],
    smoke: true,
    async run(t) {
      await t.configured();
      const call = t.send.request(method, { configuration: { workspace: { working_dir: workspace } } });
      const { configuration_applied } = await t.require("KAIAK-CONFIG-005", call.result());
      const applied = isObject(configuration_applied) ? configuration_applied : {};
      t.check(
        "KAIAK-CONFIG-005",
        sections.every((name) => isObject(applied[name])),
        {
          expected: sections,
          actual: configuration_applied,
        },
      );
    },
  },
  "configure.directory": {
    title: "a working_dir that does not exist is refused",
    emits: ["KAIAK-CONFIG-002"],
    async run(t) {
      await t.configured();
      const configuration = await given(t, {
        workspace: { ...whole["workspace"], working_dir: `${workspace}/no/such/directory` },
      });
      const call = t.send.request(method, { configuration });
      const { data } = await t.require("KAIAK-CONFIG-002", call.error(-32014));
      t.check("KAIAK-CONFIG-002", isObject(data) && data["field"] === "workspace.working_dir", {
        expected: "data.field workspace.working_dir",
        actual: data,
      });
      t.check("KAIAK-CONFIG-002", isObject(data) && typeof data["details"] === "string", {
        expected: "data.details",
        actual: data,
      });
    },
  },
  ...defineCases.each(["maybe", "ALLOW", "", true], (permission, index) => ({
    [`configure.permission-${index + 1}`]: {
      title: `the permission ${JSON.stringify(permission)} is refused`,
      emits: ["KAIAK-CONFIG-003"],
      async run(t) {
        await t.configured();
        const id = t.conversation.freshId();
        const permissions = { tool_permissions: { read_file: "allow", write_file: permission } };
        const params = { configuration: await given(t, { permissions }) };
        const call = t.send.invalid(t.conversation.envelope.request(id, method, params));
        await t.require("KAIAK-CONFIG-003", call.error([-32602, CONFIGURATION_ERROR]));
      },
    },
  })),
  "configure.reset": {
    title: "with reset_existing, nothing is left of what was configured before",
    emits: ["KAIAK-CONFIG-006"],
    async run(t) {
      await t.configured();
      await t.send.request(method, { configuration: whole, reset_existing: false }).result();
      const { configuration_applied } = await t.send
        .request(method, { ...configureParams(), reset_existing: true })
        .result();
      const applied = isObject(configuration_applied) ? configuration_applied : {};
      const left = Object.entries({ model: "temperature", tools: "max_tool_calls", session: "max_turns" }).filter(
        ([section, name]) => isObject(applied[section]) && applied[section][name] === whole[section]?.[name],
      );
      t.check("KAIAK-CONFIG-006", left.length === 0, { expected: `none of ${left.join(", ")}`, actual: applied });
    },
  },
  ...defineCases.each([true, false], (reset_existing) => ({
    [`configure.again-${reset_existing ? "all" : "new"}`]: {
      title: `a server can be configured again with reset_existing ${reset_existing}`,
      emits: ["KAIAK-CONFIG-004"],
      async run(t) {
        await t.configured();
        const params = { ...(await t.configureParams()), reset_existing };
        await t.require("KAIAK-CONFIG-004", t.send.request(method, params).result());
        await t.require("KAIAK-CONFIG-004", t.run("Say ok.").ended({ status: "completed" }));
      },
    },
  })),
});
