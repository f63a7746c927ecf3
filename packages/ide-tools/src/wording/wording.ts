import { ToolError } from "../errors.js";
import { chinese } from "./chinese.js";
import { english } from "./english.js";
import type { Wording } from "./texts.js";

/** The language of reports and errors: English, or Chinese as the plugins of sman write it. */
export type Language = "en" | "zh";

/** The texts of a language. */
export function wordingOf(language: Language): Wording {
  return language === "zh" ? chinese : english;
}

/** Runs a call of a tool, and puts its error into the language of the caller. */
export async function inLanguage<Result>(language: Language, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const { errors } = wordingOf(language);
    if (!(error instanceof ToolError) || error.code === undefined || errors === undefined) throw error;
    const { message, code, path = "", detail = "", cause } = error;
    throw new ToolError(errors[code]({ message, path, detail }), { code, path, detail, cause });
  }
}
