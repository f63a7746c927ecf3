import { ToolError } from "@editwire/example-coding-agent";
import { convert } from "html-to-text";

const timeoutMs = 10_000;
const maxBytes = 512 * 1024;
const readable = /^(text\/|application\/(json|xml|xhtml\+xml|javascript|yaml))|\+(json|xml)$/;

/**
 * Fetches a page as text: HTML without its markup, other text as it is. Throws a `ToolError` for what is none, or
 * cannot be had.
 */
export async function fetchPage(url: string, signal: AbortSignal): Promise<string> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ToolError(`${url} is no http or https URL`);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, timeout]),
      headers: { accept: "text/html, text/*;q=0.9, application/json;q=0.8" },
    });
    if (!response.ok) throw new ToolError(`${url} answers ${response.status}`);
    const [type = ""] = (response.headers.get("content-type") ?? "text/plain").toLowerCase().split(";", 1);
    if (!readable.test(type.trim())) throw new ToolError(`${url} is no text but ${type}`);
    const { text, cut } = await readUpTo(response, maxBytes);
    const page = type.includes("html")
      ? convert(text, { wordwrap: false, selectors: [{ selector: "img", format: "skip" }] })
      : text;
    return cut ? `${page}\n… the page goes on` : page;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError) throw error;
    throw new ToolError(
      timeout.aborted ? `${url} did not answer within ${timeoutMs / 1000} s` : `${url} cannot be fetched`,
      { cause: error },
    );
  }
}

async function readUpTo(response: Response, limit: number): Promise<{ text: string; cut: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    const part = (chunk as Uint8Array).subarray(0, limit - bytes);
    bytes += part.length;
    text += decoder.decode(part, { stream: true });
    if (part.length < (chunk as Uint8Array).length) return { text, cut: true }; // leaving the loop cancels the rest
  }
  return { text: text + decoder.decode(), cut: false };
}
