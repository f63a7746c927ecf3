import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { WriteStream } from "node:tty";
import { Screen } from "@editwire/example-terminal-client";
import { expect, test } from "vitest";
import { createProgressBar } from "../src/progress-bar.js";

/** A terminal that keeps what is written. */
function fakeTerminal(columns: number): { readonly stream: WriteStream; text(): string } {
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: true, columns }) as unknown as WriteStream, text: () => text };
}

test("shows the percentage and a label that fits, and clears its line", () => {
  const { stream, text } = fakeTerminal(50);
  const bar = createProgressBar(stream);
  bar.set(50);
  bar.show(`fixing: ${"x".repeat(100)}`);
  const shown = stripVTControlCharacters(text());
  expect(shown).toMatch(/^█{12}░{12} 50 % fixing: x+…$/);
  expect(shown.length).toBeLessThanOrEqual(54);
  bar.hide();
  expect(text()).toMatch(/\u001b\[1G\u001b\[2K$/);
});

test("gives way to output, and comes back with the new percentage", async () => {
  const { stream, text } = fakeTerminal(80);
  const bar = createProgressBar(stream);
  let back = (): void => {};
  const screen = new Screen(stream, { show: (label) => [bar.show(label), back()], hide: () => bar.hide() });
  const shownAgain = (): Promise<void> => new Promise((resolve) => (back = resolve));
  bar.set(5);
  const first = shownAgain();
  screen.wait("a");
  await first;
  bar.set(100);
  const second = shownAgain();
  screen.print("section", ["output"]);
  await second;
  screen.close();
  expect(stripVTControlCharacters(text())).toMatch(/ 5 % a.*output\n.* 100 % a/s);
});
