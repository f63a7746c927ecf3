import type { Case } from "../../../../core/run/case.js";
import { defineCases, type PluginContext } from "../../plugin-role.js";
import type { ToolName } from "../../samples.js";

/** A call that succeeds, and what its text has. */
export interface ToolCase {
  /** The end of the case's id. */
  readonly name: string;
  readonly title: string;
  readonly req: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Texts that the result has. */
  readonly shows?: readonly string[] | undefined;
  /** Texts that it lacks. */
  readonly hides?: readonly string[] | undefined;
  /** A further condition; `expected` describes it in a report. */
  readonly isRight?: ((text: string) => boolean) | undefined;
  readonly expected?: string | undefined;
}

/** Cases about calls of one tool that change nothing. */
export function toolCases(tool: ToolName, area: string, cases: readonly ToolCase[]): readonly Case[] {
  return cases.flatMap(({ name, title, req, params, ...expectations }) =>
    defineCases({
      [`${area}.${name}`]: {
        title,
        emits: [req],
        run: async (t) => shown(t, req, await t.succeeds(req, tool, params), expectations),
      },
    }),
  );
}

/** Judges what a text shows. */
function shown(
  t: PluginContext,
  req: string,
  text: string,
  {
    shows = [],
    hides = [],
    isRight = () => true,
    expected,
  }: Pick<ToolCase, "shows" | "hides" | "isRight" | "expected">,
): void {
  const missing = shows.filter((one) => !text.includes(one));
  const wrong = hides.filter((one) => text.includes(one));
  t.check(req, missing.length === 0 && wrong.length === 0 && isRight(text), {
    expected: expected ?? `a text with ${shows.join(", ") || "anything"} and without ${hides.join(", ") || "nothing"}`,
    actual: text,
  });
}
