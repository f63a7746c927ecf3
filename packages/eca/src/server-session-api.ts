/** A session (wire: chat) as a server's handlers see it. */
export interface EcaServerSession {
  readonly id: string;

  /** The title that the user, or the server by a content `metadata`, gave it. */
  readonly title: string | undefined;

  /** Whatever the server wants to keep with the session. */
  readonly state: Map<string, unknown>;
}
