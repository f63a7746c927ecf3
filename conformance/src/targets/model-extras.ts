import { isObject } from "@editwire/core";
import type { ScriptedModel } from "../model/server.js";

/** A case's view of the model behind a target: `t.extras` of a target by `modelTarget`. */
export interface ModelExtras {
  readonly model: ScriptedModel;
}

/** Says whether a target has a scripted model behind it. */
export function hasModel(extras: unknown): extras is ModelExtras {
  return isObject(extras) && "model" in extras && isObject(extras["model"]);
}
