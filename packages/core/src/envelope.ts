/** Where one kind of message keeps its name and its params. */
export interface Form {
  /** The root member that carries the name, such as `type`. */
  readonly name: string;
  /** The root member that holds the params, such as `data`. Default: they stand at the root, beside the name. */
  readonly params?: string | undefined;
  /** Params that stand at the root though the others do not, such as `session_id`. */
  readonly beside?: readonly string[] | undefined;
}

/** How one role writes its messages, and what is read besides. */
export interface Forms {
  /** The form of most messages. */
  readonly form: Form;
  /** Messages that have another form, by name. */
  readonly except?: Readonly<Record<string, Form>> | undefined;
  /** Forms that are not the protocol's but can be read; a message in one is reported, and refused in strict mode. */
  readonly tolerated?: readonly Form[] | undefined;
}

/** The outside of a tagged dialect's messages, by the role that sends them. */
export type Envelope<Role extends string = string> = Readonly<Record<Role, Forms>>;
