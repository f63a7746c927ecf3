/** The members of a message that hold its name and its params. */
export interface Form {
  /** The root member that holds the name, such as `type`. */
  readonly name: string;
  /**
   * The root member that holds the params, such as `data`. Default: the params are members of the root, beside the
   * name.
   */
  readonly params?: string | undefined;
  /** Params that are members of the root although `params` holds the others, such as `session_id`. */
  readonly beside?: readonly string[] | undefined;
  /** A root member for the time at which the message is sent, in milliseconds since 1970. It is not read. */
  readonly time?: string | undefined;
  /**
   * Root members of which a message in this form has at least one. A message without any of them is read in a tolerated
   * form, if it fits one. For messages in `except` whose params are at the root.
   */
  readonly marks?: readonly string[] | undefined;
}

/** The forms in which one role writes its messages, and other forms that are read. */
export interface Forms {
  /** The form of most messages. */
  readonly form: Form;
  /** Messages that have another form, by name. */
  readonly except?: Readonly<Record<string, Form>> | undefined;
  /**
   * Forms that the protocol does not define but that can be read. A message in such a form is reported, and refused in
   * strict mode.
   */
  readonly tolerated?: readonly Form[] | undefined;
}

/** The envelopes of a tagged protocol's messages, by the role that sends them. */
export type Envelope<Role extends string = string> = Readonly<Record<Role, Forms>>;
