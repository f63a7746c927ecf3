import { isObject } from "@editwire/core";
import type { ToolName } from "../samples.js";
import { type Oddity, type PluginBehavior, rightPlugin } from "../reference/plugin-behavior.js";
import type { Json } from "../reference/tool-failure.js";
import { mutantsOf } from "../../../core/mutant.js";

/** How the mutants of plugins are declared. */
export const { broken, each, benign } = mutantsOf<PluginBehavior>("sman.plugin", "SMAN");

/** Overrides of the reference plugin, checked by the compiler. */
export const patch = (switches: Partial<PluginBehavior>): Partial<PluginBehavior> => switches;

/** Changes what is in the data of results. */
export const answered = (change: (data: Json) => unknown): Partial<PluginBehavior> =>
  patch({ outgoing: ({ data, ...message }) => [{ ...message, data: change(isObject(data) ? data : {}) }] });

/** Has a tool work with other params than it got. */
export const given = (tool: ToolName, change: (params: Json) => Json): Partial<PluginBehavior> =>
  patch({ run: (name, files, params) => rightPlugin.run(name, files, name === tool ? change(params) : params) });

/** Has a tool say something else than it should. */
export const shown = (tool: ToolName, change: (text: string, params: Json) => string): Partial<PluginBehavior> =>
  patch({
    run(name, files, params) {
      const text = rightPlugin.run(name, files, params);
      return name === tool ? change(text, params) : text;
    },
  });

/** Has the failures of a tool be successes. */
export const forgiving = (tool: ToolName, isForgiven: (params: Json) => boolean): Partial<PluginBehavior> =>
  patch({
    run(name, files, params) {
      if (name === tool && isForgiven(params)) return "nothing to do";
      return rightPlugin.run(name, files, params);
    },
  });

/** Dies of something odd. */
export const diesOf = (what: Oddity): Partial<PluginBehavior> => patch({ survives: (odd) => odd !== what });
