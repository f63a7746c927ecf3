import { once } from "node:events";
import { Command } from "commander";
import { behaviorScript } from "../model/behave.js";
import { openScratch } from "../model/scratch.js";
import { startScriptedModel } from "../model/server.js";
import { readRecipe } from "../targets/recipe.js";
import { wholeNumber } from "./numbers.js";

interface Flags {
  port: string;
  chunkDelay: string;
  target?: string;
  log?: boolean;
}

/** `model --port 0`: serves only the scripted model, until it is interrupted. */
export function modelCommand(): Command {
  return new Command("model")
    .description(
      "serves the scripted model on 127.0.0.1 (OpenAI chat and responses, Anthropic, Gemini, Ollama) " +
        "and prints its base URLs as JSON",
    )
    .option("--port <port>", "the port; 0: any free port", "0")
    .option("--chunk-delay <ms>", "pause after each chunk of a stream", "0")
    .option(
      "--target <recipe>",
      "the recipe of the target whose tools the model calls: a name in targets/ or a JSON file",
    )
    .option("--log", "writes a line of JSON to stderr for each request")
    .action(async ({ port, chunkDelay, target, log }: Flags) => {
      const scratch = openScratch();
      try {
        const model = await startScriptedModel({
          port: wholeNumber(port, { to: 65_535 }),
          chunkDelayMs: wholeNumber(chunkDelay, { to: 60_000 }),
          script: behaviorScript({ scratch, tools: target === undefined ? {} : readRecipe(target).tools }),
          onRequest: ({ api, conversation, ended }) => {
            const line = {
              api,
              model: conversation.model,
              messages: conversation.messages.length,
              stream: conversation.stream,
            };
            if (log === true) void ended.then((end) => process.stderr.write(`${JSON.stringify({ ...line, end })}\n`));
          },
        });
        process.stdout.write(`${JSON.stringify(model.urls)}\n`);
        const stop = new AbortController();
        const { signal } = stop;
        await Promise.race(["SIGINT", "SIGTERM"].map((name) => once(process, name, { signal })));
        stop.abort();
        await model.close();
      } finally {
        scratch.remove();
      }
    });
}
