import type { ContentBlock, Meta } from "@editwire/acp";
import { isObject, RemoteError } from "@editwire/core";
import type { FixOptions, Incident, MigrationContext } from "@editwire/kaiak";
import { fileUri } from "../shared/file-uri.js";
import { blockText } from "../shared/texts.js";
import { runMeta } from "./prompt.js";

/** A run that a prompt asks for, with the names of `kaiak/generate_fix`. */
export interface FarRun {
  readonly incidents: readonly Incident[];
  readonly migration_context?: MigrationContext | undefined;
  readonly options?: FixOptions | undefined;
}

/**
 * The run in a prompt: under `editwire/kaiak` of its `meta`, else in a resource or a text in JSON. An array is one of
 * incidents. Words are one incident, about the first file that the prompt links, else about the folder `cwd`. Throws
 * the `RemoteError` -32602 for wrong incidents, and for a prompt without words.
 */
export function runOf(prompt: readonly ContentBlock[], meta: Meta | undefined, cwd: string): FarRun {
  const found = [meta?.[runMeta], ...prompt.map(jsonIn)].map((one) => (Array.isArray(one) ? { incidents: one } : one));
  const run = found.find(isRun);
  if (run !== undefined) return run;
  const message = prompt.map(blockText).join("\n\n");
  if (message.trim() === "" || found.some((one) => isObject(one) && "incidents" in one))
    throw RemoteError.invalidParams(
      'prompt: expected words, or incidents as JSON such as [{"id": "1", "rule_id": "r", "message": "m"}], in a text ' +
        "or a resource",
      { field: "prompt" },
    );
  const uri = prompt.map(uriOf).find((one) => one !== undefined) ?? fileUri(cwd);
  return { incidents: [{ id: "1", rule_id: "prompt", message, uri }] };
}

function uriOf(block: ContentBlock): string | undefined {
  if (block.type === "resource_link") return block.uri;
  return block.type === "resource" ? block.resource.uri : undefined;
}

function jsonIn(block: ContentBlock): unknown {
  const { text, resource } = block as { readonly text?: unknown; readonly resource?: { readonly text?: unknown } };
  const json = resource?.text ?? text;
  if (typeof json !== "string" || !/^\s*[[{]/.test(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // a text that only looks like JSON
  }
}

function isRun(value: unknown): value is FarRun {
  if (!isObject(value) || !Array.isArray(value["incidents"]) || value["incidents"].length === 0) return false;
  return value["incidents"].every(
    (one) => isObject(one) && ["id", "rule_id", "message"].every((name) => typeof one[name] === "string"),
  );
}
