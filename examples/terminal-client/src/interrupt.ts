/** The phase of the program, which decides about Ctrl-C. */
export type Phase = "busy" | "idle" | "turn" | "cancelling" | "quitting";

/** The effect of Ctrl-C: end the running turn, end the program, or end it without waiting for anything. */
type Effect = "cancel" | "quit" | "exit";

/** 128 + SIGINT. */
export const interruptedCode = 130;

/** The effect of Ctrl-C in each phase. */
const onInterrupt: Readonly<
  Record<Phase, { readonly next: Phase; readonly effect: Effect; readonly exitCode?: number }>
> = {
  busy: { next: "quitting", effect: "quit", exitCode: interruptedCode },
  idle: { next: "quitting", effect: "quit", exitCode: 0 },
  turn: { next: "cancelling", effect: "cancel" },
  cancelling: { next: "quitting", effect: "quit", exitCode: interruptedCode },
  quitting: { next: "quitting", effect: "exit", exitCode: interruptedCode },
};

/** Ctrl-C and the signals that ask the program to end. */
export interface Interrupts {
  readonly phase: Phase;
  /** Aborts when the program should end; `exitCode` says how. */
  readonly quit: AbortSignal;
  readonly exitCode: number;
  /** One press of Ctrl-C, or SIGINT. */
  press(): void;
  /** Cancels the running turn and ends the program, as SIGTERM asks for. */
  end(exitCode: number): void;
  /** Says that the program waits for the user, until the returned function is called. */
  idle(): () => void;
  /** Says that a turn runs, which `cancel` cancels, until the returned function is called. */
  turn(cancel: () => void): () => void;
}

/** Creates the state machine; `exit` ends the process at once. */
export function createInterrupts(exit: (exitCode: number) => void): Interrupts {
  const controller = new AbortController();
  let phase: Phase = "busy";
  let exitCode = 0;
  let cancelTurn = (): void => {};

  const enter = (next: Phase): (() => void) => {
    if (phase !== "quitting") phase = next;
    return () => {
      if (phase !== "quitting") phase = "busy";
    };
  };
  const end = (code: number): void => {
    if (phase === "turn") cancelTurn();
    phase = "quitting";
    exitCode = code;
    controller.abort();
  };

  return {
    get phase() {
      return phase;
    },
    get exitCode() {
      return exitCode;
    },
    quit: controller.signal,
    press() {
      const { next, effect, exitCode: code = 0 } = onInterrupt[phase];
      phase = next;
      if (effect === "cancel") cancelTurn();
      else if (effect === "quit") end(code);
      else exit(code);
    },
    end,
    idle: () => enter("idle"),
    turn(cancel) {
      cancelTurn = cancel;
      return enter("turn");
    },
  };
}

/** Feeds the process' signals to the state machine until the returned function is called. */
export function watchSignals(interrupts: Interrupts): () => void {
  const listeners: readonly (readonly [NodeJS.Signals, () => void])[] = [
    ["SIGINT", () => interrupts.press()],
    ["SIGTERM", () => interrupts.end(143)],
    ["SIGHUP", () => interrupts.end(129)],
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}
