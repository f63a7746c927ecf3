import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "@editwire/core";
import type { BehaviorProvider } from "../core/run/behaviors.js";
import { UsageError } from "../core/errors.js";
import { behaviorScript, toolBehaviors } from "../model/behave.js";
import { SCRIPTED_MODEL } from "../model/name.js";
import type { RecordedRequest } from "../model/recorder.js";
import { openScratch } from "../model/scratch.js";
import { startScriptedModel } from "../model/server.js";
import { writeToken } from "../model/token.js";
import type { Trace, TraceEntry } from "../trace/trace.js";
import type { Link, Target } from "../wire/link.js";
import type { StdioCommand } from "../wire/process-group.js";
import { stdioTarget } from "../wire/stdio.js";
import type { ModelExtras } from "./model-extras.js";
import type { Recipe } from "./recipe.js";

/**
 * A target must never reach a real model: its keys are dummies, and its proxies reject all traffic off this machine.
 */
const seclusion: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
      [name, "http://127.0.0.1:9"],
      [name.toLowerCase(), "http://127.0.0.1:9"],
    ]),
  ),
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
};

/**
 * A target over stdin and stdout with the scripted model behind it. Every `open` has a model of its own, whose
 * questions stand in the connection's trace. Throws a `UsageError` when neither the recipe nor `start` has a command.
 */
export function modelTarget(recipe: Recipe, start: Partial<StdioCommand> = {}): Target {
  const argv = start.argv ?? recipe.command;
  if (argv === undefined) throw new UsageError(`the recipe "${recipe.name}" has no command: expected one after --`);
  return {
    transport: "stdio",
    description: argv.join(" "),
    async open(options) {
      const scratch = openScratch();
      const script = behaviorScript({ scratch, tools: recipe.tools });
      const model = await startScriptedModel({ script, onRequest: (request) => note(request, options.trace) });
      const close = async (): Promise<void> => {
        await model.close();
        scratch.remove();
      };
      try {
        const fill = filler({ ...model.urls, home: scratch.folder, model: SCRIPTED_MODEL });
        for (const [name, content] of Object.entries(recipe.files))
          writeFile(join(scratch.folder, name), fill(textOf(content)));
        const env = { ...seclusion, ...mapValues(recipe.env, fill), ...start.env };
        const link = await stdioTarget({ argv: argv.map(fill), cwd: start.cwd ?? recipe.cwd, env }).open(options);
        return withModel(link, { model }, close);
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

/** How a target by `modelTarget` is steered. */
export function modelProvider({ behaviors }: Pick<Recipe, "behaviors">): BehaviorProvider {
  let isReached = false;
  return {
    mode: "model",
    names: behaviors,
    say: (name, args) => writeToken({ name, args }),
    unreached(behavior, trace) {
      const asked = trace.flatMap((entry) =>
        entry.from === "model" && entry.kind === "event" && entry.name === "asked" ? [entry.data] : [],
      );
      isReached ||= asked.length > 0;
      if (!trace.some((entry) => entry.kind === "message" && isPrompt(entry.message))) return undefined;
      if (asked.length > 0) return unlike(behavior, trace, asked);
      // A target that asked the model in another case decided itself what it did in this one.
      return isReached
        ? undefined
        : "the scripted model was never asked: the target uses another model, or none; see --target";
    },
  };
}

/**
 * Why a target does not show what was asked for: it offered the scripted model no tools, or does not do what that did.
 */
function unlike(behavior: string, trace: readonly TraceEntry[], asked: readonly unknown[]): string | undefined {
  const isAcp = trace.some((entry) => entry.kind === "message" && isCall(entry.message, "session/prompt"));
  if (isAcp && ownEndings.includes(behavior) && !trace.some(isLimited))
    return `the target does not end its turn when its model does so by "${behavior}"`;
  const asks = trace.some((entry) => entry.kind === "message" && isCall(entry.message, "session/request_permission"));
  if (isAcp && behavior === "ask-permission" && !asks) return "the target asked for no permission";
  const tools = asked.some((data) => isObject(data) && Array.isArray(data["tools"]) && data["tools"].length > 0);
  return tools || !toolBehaviors.includes(behavior) ? undefined : "the target offered the scripted model no tools";
}

/** Behaviors by which a model ends its answer. A target may go on by itself, and is not bound to end its turn so. */
const ownEndings: readonly string[] = ["max-tokens", "max-turn-requests", "refuse"];

/** The end of a turn that says that there was more to come. */
function isLimited(entry: TraceEntry): boolean {
  if (entry.from !== "target" || entry.kind !== "message" || !isObject(entry.message)) return false;
  const { result } = entry.message;
  return isObject(result) && typeof result["stopReason"] === "string" && result["stopReason"] !== "end_turn";
}

const isCall = (message: unknown, method: string): boolean => isObject(message) && message["method"] === method;

const isPrompt = (message: unknown): boolean =>
  isObject(message) && typeof message["method"] === "string" && message["method"].endsWith("/prompt");

function withModel(link: Link, extras: ModelExtras, close: () => Promise<void>): Link {
  return {
    ...link,
    extras,
    async close() {
      await link.close();
      await close();
    },
  };
}

/** Writes a question into the trace when it comes, and its end. */
function note({ api, conversation, ended }: RecordedRequest, trace: Trace): void {
  const { messages, tools } = conversation;
  const last = messages.at(-1);
  const data = {
    api,
    messages: messages.length,
    tools: tools.map(({ name }) => name),
    last: last && { role: last.role, text: last.text.slice(0, 200) },
  };
  const { seq } = trace.add({ kind: "event", from: "model", name: "asked", data });
  void ended.then((end) => trace.add({ kind: "event", from: "model", name: end, data: { asked: seq } }));
}

function filler(values: Readonly<Record<string, string>>): (text: string) => string {
  return (text) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
    );
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
