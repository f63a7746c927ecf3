import { onTestFinished } from "vitest";
import {
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
  type Step,
} from "../../src/model/index.js";

/** A scripted model that ends with the test. */
export async function start(script: Script, options: Partial<ScriptedModelOptions> = {}): Promise<ScriptedModel> {
  const model = await startScriptedModel({ script, ...options });
  onTestFinished(() => model.close());
  return model;
}

/** A model that always does the same. */
export const always = (step: Step): Script =>
  function* () {
    yield step;
  };

/** A model that calls a tool and then says what it answered, and what it was offered and told. */
export const throwDice: Script = function* ({ prompt, system, tools }) {
  const uses = yield {
    think: "Dice it is.",
    say: "I throw twice.",
    calls: [call("dice", { sides: 6 }), call("dice", { sides: 20 })],
  };
  yield {
    say: `${prompt}|${system}|${[...tools.keys()].join()}|${sides(uses)}`,
  };
};

/** The sides of each die that was thrown, with the result. */
function sides(uses: readonly { readonly args: Record<string, unknown>; readonly result: unknown }[]): string {
  return uses.map(({ args, result }) => `${String(args["sides"])}:${String(result)}`).join();
}

/** The last answer of `throwDice` to `Go` and `Be brief`, with a 5 and a 17 thrown. */
export const thrown = "Go|Be brief|dice|6:5,20:17";

/** A tool as JSON Schema. */
export const diceSchema = { type: "object", properties: { sides: { type: "integer" } }, required: ["sides"] };

/** Waits for everything that a stream gives. */
export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

function call(name: string, args: Record<string, unknown>) {
  return { name, args };
}
