import { contentLength } from "@editwire/framing";
import { connectKaiak, serveKaiak } from "@editwire/kaiak";
import { spawnTransport, stdioTransport } from "@editwire/transport/node";
import type { Contender } from "./contender.js";
import { asksBefore, type KaiakErrand, piece } from "./kaiak-errand.js";

const onError = (error: unknown): void => console.error(error);

/** The Kaiak binding: every message is validated at both ends, and the run is read by iterating it. */
export const contender: Contender = {
  async spawn(argv) {
    const client = await connectKaiak(spawnTransport(argv, contentLength()), { onError });
    await client.configure({ workspace: { working_dir: process.cwd() } });
    return {
      async call(_method, errand) {
        const incident = { id: "1", rule_id: "r", message: JSON.stringify(errand) };
        let chars = 0;
        const questions: Promise<void>[] = [];
        for await (const event of client.newSession().prompt([incident])) {
          if (event.type === "text") chars += event.text.length;
          else if (event.type === "question") questions.push(event.respond("yes"));
        }
        await Promise.all(questions);
        return { chars, questions: questions.length };
      },
      update: () => {},
      close: () => client.close(),
    };
  },
  stdio() {
    serveKaiak(
      stdioTransport(contentLength()),
      {
        async prompt(turn) {
          const errand = JSON.parse(turn.incidents[0]?.message ?? "") as KaiakErrand;
          const answers: Promise<unknown>[] = [];
          for (let index = 0; index < errand.texts; index++) {
            if (asksBefore(index, errand)) answers.push(turn.ask({ prompt: "Go on?", options: ["yes", "no"] }));
            const room = turn.text(piece, { partial: true });
            if (room !== undefined) await room;
          }
          await Promise.all(answers);
        },
      },
      { onError },
    );
  },
};
