import type { EcaParams, EcaResult } from "@editwire/eca-schema";
import { failedToAnswer, type Listeners, Questions } from "@editwire/session";
import type { ClientSession } from "./session.js";
import type {
  EcaClientMethods,
  EcaClientOptions,
  EcaQuestionHandler,
  EcaEditorPlace,
  EcaLocationsHandler,
} from "./api.js";

/** The handlers of what a server asks the editor. */
export function editorMethods(
  options: Pick<EcaClientOptions, "question" | "diagnostics" | "definition" | "references">,
  sessionOf: (id: string) => ClientSession | undefined,
  onError: Listeners["onError"],
): EcaClientMethods {
  const { question, diagnostics, definition, references } = options;
  return {
    ...(question && questionMethod(question, sessionOf, onError)),
    ...(diagnostics && {
      "editor/getDiagnostics": async ({ uri }, { signal }) => ({
        diagnostics: [...(await diagnostics(uri, { signal }))],
      }),
    }),
    ...(definition && { "editor/getDefinition": located(definition) }),
    ...(references && { "editor/getReferences": located(references) }),
  };
}

function located(handler: EcaLocationsHandler) {
  return async (
    place: EcaEditorPlace,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<EcaResult<"editor/getDefinition">> => {
    const found = await handler(place, { signal });
    return typeof found === "string" ? { status: found } : { status: "success", locations: [...found] };
  };
}

function questionMethod(
  question: EcaQuestionHandler,
  sessionOf: (id: string) => ClientSession | undefined,
  onError: Listeners["onError"],
): EcaClientMethods {
  const questions = new Questions<EcaParams<"chat/askQuestion">, string | null>({
    async handler(asked, { signal }) {
      const session = sessionOf(asked.chatId);
      await session?.handed();
      return signal.aborted ? null : ((await question(asked, { session, signal })) ?? null);
    },
    cancelled: null,
    rejected: null,
    onError: (error) => onError(error, "chat/askQuestion", failedToAnswer("question", "the question is cancelled")),
  });
  return {
    async "chat/askQuestion"(asked, { signal }) {
      const answer = await questions.ask(asked, [signal, ...(sessionOf(asked.chatId)?.signals ?? [])]);
      return { answer, cancelled: answer === null };
    },
  };
}
