/**
 * Milliseconds that the steps of an end have. Editors send SIGTERM some two seconds after the end of stdin, and kill
 * some two seconds later. Before that, output that the editor does not read takes one second, and the rest is this.
 */
export const patience = {
  /** From the end of the agent's stdin to SIGTERM, and from there to SIGKILL. */
  agentGraceMs: 1_000,
  /** For the answer to `shutdown`, in protocols that have it. */
  agentShutdownMs: 500,
  /** The limit for all of these together. Processes that still run then are killed when this process exits. */
  closeMs: 2_750,
} as const;
