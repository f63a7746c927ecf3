import type { AcpResult, FormElicitation, UrlElicitation } from "@editwire/acp-schema";
import { isObject, WireError } from "@editwire/core";
import { shown } from "@editwire/session";
import type { AcpElicitationHandler } from "./services.js";
import { formAnswer, type AcpFormField, formFields, type AcpFormIssue } from "../shared/elicitation-fields.js";

/** A form to show. */
export interface AcpForm {
  readonly message: string;
  readonly fields: readonly AcpFormField[];
  /** The values that the user entered before, and their faults; none the first time. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly issues: readonly AcpFormIssue[];
  readonly question: FormElicitation;
}

/** Shows a form. Returns what the user filled in by the names of the fields, or how they refused. */
export type AcpFillForm = (
  form: AcpForm,
  context: { readonly signal: AbortSignal },
) => Promise<Readonly<Record<string, unknown>> | "decline" | "cancel">;

/** How often a form is shown, at most. */
const maxTries = 100;

/**
 * The handler of `elicitation.form` for a view that shows fields: the form is shown again until what the user filled
 * in fits the schema, so the agent gets no other content.
 */
export function formElicitation(fill: AcpFillForm): AcpElicitationHandler<FormElicitation> {
  return async (question, context) => {
    const fields = formFields(question.requestedSchema);
    let values: Readonly<Record<string, unknown>> = Object.fromEntries(
      fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])),
    );
    let issues: readonly AcpFormIssue[] = [];
    for (let tries = 0; tries < maxTries && !context.signal.aborted; tries += 1) {
      const filled = await fill({ message: question.message, fields, values, issues, question }, context);
      if (filled === "decline" || filled === "cancel") return { action: filled };
      if (!isObject(filled))
        throw new TypeError(`formElicitation: expected an object of values by field name, received ${shown(filled)}`);
      const answer = formAnswer(question.requestedSchema, filled);
      if (answer.content !== undefined) return { action: "accept", content: answer.content };
      [values, issues] = [filled, answer.issues];
    }
    return { action: "cancel" };
  };
}

/** A page that the agent wants the user to open. */
export interface AcpPageRequest {
  readonly message: string;
  /** The whole address, as it must be shown to the user: an `https` one, or one of this machine. */
  readonly url: string;
  /** The part of the address to stress, in ASCII so that no letters look like others. */
  readonly host: string;
  readonly question: UrlElicitation;
}

/** How pages are opened. */
export interface AcpUrlElicitationOptions {
  /** Shows the address and asks the user. Nothing of the page is loaded before they agree. */
  consent(page: AcpPageRequest, context: { readonly signal: AbortSignal }): Promise<boolean>;
  /** Opens the page in a browser outside of the application, which must not read what the user does there. */
  open(url: string): void | Promise<void>;
}

/**
 * The handler of `elicitation.url`: checks the address, asks the user, then opens the page. An address that is neither
 * `https` nor on this machine, or that holds a password, is declined without asking.
 */
export function urlElicitation({ consent, open }: AcpUrlElicitationOptions): AcpElicitationHandler<UrlElicitation> {
  return async (question, context): Promise<AcpResult<"elicitation/create">> => {
    const { href, host } = checkedUrl(question.url);
    const isAgreed = await consent({ message: question.message, url: href, host, question }, context);
    if (!isAgreed) return { action: "decline" };
    if (context.signal.aborted) return { action: "cancel" };
    await open(href);
    return { action: "accept" };
  };
}

const loopback: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Throws `WireError("invalid_params")` for an address that is not opened. An error of a handler declines. */
function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && loopback.includes(url.hostname));
  if (url !== undefined && isSafe && url.username === "" && url.password === "") return url;
  const expected = "expected an https address, or an http one of this machine, without a password";
  throw new WireError("invalid_params", `elicitation/create: params.url: ${expected}`);
}
