import * as z from "zod";
import { defineTool } from "./tool.js";

/** Asks the user a question. It touches nothing. */
export const askUser = defineTool({
  name: "ask_user",
  description: "Asks the user a question, with answers to choose from where there are some.",
  access: "none",
  kind: "think",
  input: z.object({ question: z.string().min(1), options: z.array(z.string()).max(20).optional() }),
  view: () => ({ title: "Ask the user" }),
  prepare: ({ question, options }, { ask }) => ({
    async run() {
      const answer = await ask(question, options);
      return { text: answer === undefined ? "The user did not answer." : `The user answered: ${answer}` };
    },
  }),
});
