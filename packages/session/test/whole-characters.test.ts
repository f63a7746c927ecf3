import { describe, expect, it } from "vitest";
import { beginning, WholeCharacters } from "../src/index.js";

const emoji = "\u{1F600}";
const [first = "", second = ""] = emoji.split("");

describe("WholeCharacters", () => {
  it.each([
    ["a character that is cut", [`a${first}`, `${second}b`], ["a", `${emoji}b`]],
    ["a half by itself", ["a", first, second, "b"], ["a", "", emoji, "b"]],
    ["two characters that are cut", [first, second + first, second], ["", emoji, emoji]],
    ["a half that nothing follows", [`a${first}`], ["a"]],
    ["whole characters", ["", emoji, "", "\u00E4"], ["", emoji, "", "\u00E4"]],
    ["a half that another character follows", [first, "a"], ["", `${first}a`]],
  ])("holds back half of %s", (_, said, whole) => {
    const characters = new WholeCharacters();
    expect(said.map((text) => characters.of(text))).toEqual(whole);
  });

  it("leaves what is no text to the schema", () => {
    expect(new WholeCharacters().of(5 as never)).toBe(5);
  });
});

it("cuts a text before a character that does not fit", () => {
  expect([1, 2, 3].map((max) => beginning(`a${emoji}`, max))).toEqual(["a", "a", `a${emoji}`]);
});
