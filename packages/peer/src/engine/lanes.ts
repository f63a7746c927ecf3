/** Something to do in a lane. It neither throws nor rejects; while its promise is pending the lane is busy. */
export type Work = () => Promise<void> | undefined;

interface Step {
  readonly run: Work;
  readonly kind: "notification" | "request" | "reply";
  /** The characters of the notification. */
  readonly length: number;
  next: Step | undefined;
}

/** A session whose notification is being handled, and the messages that wait for it. */
export interface Lane {
  readonly session: string | undefined;
  /** The tick at which the lane became busy. */
  readonly since: number;
  first: Step | undefined;
  last: Step | undefined;
}

/** A notification that was handled at once, and whose handler still runs. */
interface Occupation {
  readonly session: string | undefined;
  /** The tick at which it arrived. */
  readonly since: number;
  readonly running: Promise<void>;
  /** The characters of the notification. */
  readonly length: number;
}

/** Keeps each session's messages in order. Only busy lanes exist, so a free lane needs no memory. */
export class Lanes {
  /** Notifications whose handlers are running or still to run. */
  unhandled = 0;
  /** The characters of these notifications. */
  unhandledChars = 0;
  /** Counts the notifications that found their lane free. */
  clock = 0;
  /** Created for the first handler that returns a promise. */
  #busy: Map<string | undefined, Lane> | undefined;
  /** Requests that wait for their lane. */
  #waitingRequests = 0;
  readonly #onProgress: () => void;

  constructor(onProgress: () => void) {
    this.#onProgress = onProgress;
  }

  /** True while no handler is running. */
  get allFree(): boolean {
    return this.#busy === undefined || this.#busy.size === 0;
  }

  /** The lane to queue in, if the session has one to wait for. */
  busy(session: string | undefined): Lane | undefined {
    return this.allFree ? undefined : this.#busy?.get(session);
  }

  /**
   * Counts a notification that found its lane free. Returns the tick. Called before the notification is handled: a call
   * that its handler makes must not wait for it.
   */
  enter(): number {
    return ++this.clock;
  }

  /** Makes the lane of such a notification busy while its handler runs. */
  occupy({ session, since, running, length }: Occupation): void {
    const lane: Lane = { session, since, first: undefined, last: undefined };
    (this.#busy ??= new Map()).set(session, lane);
    this.#count(1, length);
    this.#follow(lane, running, length);
  }

  /** Handles a notification after everything before it in its lane. */
  queueNotification(lane: Lane, length: number, run: Work): void {
    this.#count(1, length);
    push(lane, { run, kind: "notification", length, next: undefined });
  }

  /** Starts a request after everything before it in its lane; the lane does not wait for its answer. */
  queueRequest(lane: Lane, start: () => void): void {
    this.#waitingRequests++;
    push(lane, { run: () => void start(), kind: "request", length: 0, next: undefined });
  }

  /**
   * Starts, in a microtask, the requests that wait in the lanes that are busy now. The handler of such a lane may have
   * made the call that was just sent, and the peer may need an answer before it can reply.
   */
  freeRequests(): void {
    if (this.#waitingRequests === 0) return;
    const { clock } = this;
    queueMicrotask(() => {
      const lanes = [...(this.#busy?.values() ?? [])].filter(({ since }) => since <= clock);
      const requests = lanes.flatMap(takeRequests);
      this.#waitingRequests -= requests.length;
      for (const { run } of requests) void run();
    });
  }

  /**
   * Calls `done` after everything that now waits in the lanes that became busy after the tick `since`. A lane that was
   * busy before may be running the very handler that waits for `done`.
   */
  after(since: number, done: () => void): void {
    let waiting = 0;
    const pass = (): undefined => {
      if (--waiting === 0) done();
    };
    for (const lane of this.#busy?.values() ?? []) {
      if (lane.since <= since) continue;
      waiting++;
      push(lane, { run: pass, kind: "reply", length: 0, next: undefined });
    }
    if (waiting === 0) done();
  }

  #count(notifications: number, chars: number): void {
    this.unhandled += notifications;
    this.unhandledChars += chars;
  }

  #follow(lane: Lane, running: Promise<void>, length: number): void {
    void running.then(() => {
      this.#count(-1, -length);
      this.#advance(lane);
      this.#onProgress();
    });
  }

  #advance(lane: Lane): void {
    for (let step = lane.first; step !== undefined; step = lane.first) {
      lane.first = step.next;
      if (step.kind === "request") this.#waitingRequests--;
      const running = step.run();
      if (running !== undefined) return this.#follow(lane, running, step.length);
      if (step.kind === "notification") this.#count(-1, -step.length);
    }
    this.#busy?.delete(lane.session);
  }
}

function push(lane: Lane, step: Step): void {
  if (lane.first === undefined || lane.last === undefined) lane.first = step;
  else lane.last.next = step;
  lane.last = step;
}

/** Removes and returns the requests that wait in a lane; the other messages keep their order. */
function takeRequests(lane: Lane): Step[] {
  const steps: Step[] = [];
  for (let step = lane.first; step !== undefined; step = step.next) steps.push(step);
  lane.first = lane.last = undefined;
  for (const step of steps) if (step.kind !== "request") push(lane, { ...step, next: undefined });
  return steps.filter(({ kind }) => kind === "request");
}
