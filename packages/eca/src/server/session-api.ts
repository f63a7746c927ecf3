/** A session (wire: chat) as a server's handlers see it. */
export interface EcaServerSession {
  readonly id: string;

  /** True when this side made the id, because the client's first prompt had none. */
  readonly minted: boolean;

  /** The title that the user, or the server by a content `metadata`, gave it. */
  readonly title: string | undefined;

  /** Values that the server keeps with the session. */
  readonly state: Map<string, unknown>;
}
