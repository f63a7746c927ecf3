import { acpPair } from "@editwire/acp/testing";
import { ecaPair } from "@editwire/eca/testing";
import { expect, it } from "vitest";

const texts = Array.from({ length: 200 }, (_, n) => `${n},`);

/** The texts of a turn. */
async function textsOf(turn: AsyncIterable<{ readonly type: string }>): Promise<string[]> {
  const read: string[] = [];
  for await (const event of turn) if (event.type === "text" && "text" in event) read.push(String(event.text));
  return read;
}

async function prompt(turn: { text(text: string): void | Promise<void> }): Promise<void> {
  await Promise.all(texts.map((text) => turn.text(text)));
}

const opened: readonly (readonly [string, () => Promise<(joinTexts: boolean) => Promise<string[]>>])[] = [
  [
    "acp",
    async () => {
      const { client } = await acpPair({ prompt });
      const session = await client.newSession({ cwd: "/" });
      return (joinTexts) => textsOf(session.prompt("go", { joinTexts }));
    },
  ],
  [
    "eca",
    async () => {
      const { client } = await ecaPair({ prompt });
      const session = client.newSession();
      return (joinTexts) => textsOf(session.prompt("go", { joinTexts }));
    },
  ],
];

it.each(opened)("a client of %s joins texts that wait, if it is asked to", async (_, open) => {
  const turn = await open();
  expect(await turn(false)).toEqual(texts);
  const joined = await turn(true);
  expect(joined.join("")).toBe(texts.join(""));
  expect(joined.length).toBeLessThan(texts.length / 4);
});
