import { type Case, defineCase } from "../core/run/case.js";
import type { CaseContext } from "../core/run/context.js";

const QUIET_MS = 150;

/** Facts about a protocol with which the packs run turns at the same time and cancel them. */
export interface TurnFacts<T extends CaseContext, Turn> {
  /** The beginning of the cases' ids: `<protocol>.<role>`. */
  readonly prefix: string;
  readonly role: string;
  /** The behavior that makes a turn last. Absent: the suite makes it last. */
  readonly slow?: string | undefined;
  readonly requirements: {
    /** A cancel ends the turn of its session, and no other turn. */
    readonly one: string;
    /** Every turn of a session can be cancelled, and a second cancel does no harm. */
    readonly again: string;
  };
  /** Begins a turn in a session, a new one by default, and waits until it runs. */
  begin(t: T, before?: Turn): Promise<Turn>;
  /** Cancels a turn; where the target cancels, resolves once it has. `again`: it was canceled before. */
  cancel(t: T, turn: Turn, again?: boolean): void | Promise<unknown>;
  /** Resolves when a turn has ended as a cancelled turn does. */
  ended(t: T, turn: Turn): Promise<unknown>;
  /** Says whether nothing has ended a turn yet. */
  runs(t: T, turn: Turn): boolean;
}

/** Cancels one of the turns that run at the same time, and turns of one session one after the other. */
export function twoTurnCases<T extends CaseContext, Turn>(facts: TurnFacts<T, Turn>): readonly Case[] {
  const { prefix, role, requirements, slow } = facts;
  const { one, again } = requirements;
  return [
    defineCase<T>(
      {
        id: `${prefix}.two.cancel-one`,
        role,
        title: "one of three running turns is cancelled, and then the others",
        emits: [one],
        needs: slow === undefined ? undefined : [slow],
      },
      async (t) => {
        const others = [await facts.begin(t)];
        const middle = await facts.begin(t);
        others.push(await facts.begin(t));
        await t.require(one, Promise.resolve(facts.cancel(t, middle)));
        await t.require(one, facts.ended(t, middle));
        await t.pace(QUIET_MS);
        for (const other of others)
          t.check(one, facts.runs(t, other), {
            message: "the cancel of one turn ended another",
            expected: "the other turns continue",
          });
        for (const other of others) {
          await t.require(one, Promise.resolve(facts.cancel(t, other)));
          await t.require(one, facts.ended(t, other));
        }
      },
    ),
    defineCase<T>(
      {
        id: `${prefix}.two.cancel-again`,
        role,
        title: "two turns of one session are cancelled, the second one twice",
        emits: [again],
        needs: slow === undefined ? undefined : [slow],
      },
      async (t) => {
        const first = await facts.begin(t);
        await t.require(again, Promise.resolve(facts.cancel(t, first)));
        await t.require(again, facts.ended(t, first));
        const second = await t.require(again, facts.begin(t, first));
        await t.require(again, Promise.resolve(facts.cancel(t, second)));
        await t.require(again, Promise.resolve(facts.cancel(t, second, true)));
        await t.require(again, facts.ended(t, second));
        const third = await t.require(again, facts.begin(t, second));
        await t.pace(QUIET_MS);
        t.check(again, facts.runs(t, third), {
          message: "a second cancel ended the next turn",
          expected: "the turn continues",
        });
        await t.require(again, Promise.resolve(facts.cancel(t, third)));
        await t.require(again, facts.ended(t, third));
      },
    ),
  ];
}
