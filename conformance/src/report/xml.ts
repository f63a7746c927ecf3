/** Characters that XML 1.0 cannot hold, not even escaped; the others are written as they are. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

/** Escapes text for the content of an element; characters that XML forbids become U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(forbidden, "\ufffd").replace(/[&<>\r]/g, (character) => entities[character] ?? character);
}

/** Writes an element; attributes that are `undefined` are left out. `content` is XML. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content: readonly string[] = [],
): string {
  const written = Object.entries(attributes)
    .filter((pair): pair is [string, string | number] => pair[1] !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}="${String(value)
          .replace(forbidden, "\ufffd")
          .replace(/[&<>"'\n\r\t]/g, (character) => entities[character] ?? character)}"`,
    )
    .join("");
  return content.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${content.join("")}</${name}>`;
}
