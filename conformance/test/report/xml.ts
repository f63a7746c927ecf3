import { type SaxesAttributeNS, SaxesParser } from "saxes";

/** An element as a strict parser reads it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Reads a document. Throws for anything that is not well-formed XML 1.0. */
export function parseXml(xml: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const stack = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const values = Object.entries(attributes as Record<string, SaxesAttributeNS>).map(([key, { value }]) => [
      key,
      value,
    ]);
    const element: Element = {
      name,
      attributes: Object.fromEntries(values) as Record<string, string>,
      children: [],
      text: "",
    };
    stack.at(-1)?.children.push(element);
    stack.push(element);
  });
  parser.on("closetag", () => void stack.pop());
  parser.on("text", (text) => {
    const element = stack.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.write(xml).close();
  return root.children[0] ?? root;
}

/** All elements of a name below one. */
export function all(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}
