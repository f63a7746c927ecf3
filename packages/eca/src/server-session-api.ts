/** A session (wire: chat) as a server's handlers see it. */
export interface EcaServerSession {
  readonly id: string;

  /** Whether the server made the id, because the first prompt named no chat. */
  readonly minted: boolean;

  /** The title that the user, or the server by a content `metadata`, gave it. */
  readonly title: string | undefined;

  /** Whatever the server wants to keep with the session. */
  readonly state: Map<string, unknown>;
}
