import { expect, it } from "vitest";
import { withoutDatatypeConverter } from "../../src/scripted/datatype-converter.js";

const header = "package p;\n\nimport java.util.List;\n";

it.each([
  ["printBase64Binary", "Base64.getEncoder().encodeToString", "java.util.Base64"],
  ["parseBase64Binary", "Base64.getMimeDecoder().decode", "java.util.Base64"],
  ["printHexBinary", "HexFormat.of().withUpperCase().formatHex", "java.util.HexFormat"],
  ["parseHexBinary", "HexFormat.of().parseHex", "java.util.HexFormat"],
])("replaces %s", (method, call, name) => {
  const source = `${header}import javax.xml.bind.DatatypeConverter;\n\nx = DatatypeConverter.${method}(y);\n`;
  expect(withoutDatatypeConverter(source)).toEqual({
    text: `${header}import ${name};\n\nx = ${call}(y);\n`,
    classes: [name],
    left: [],
  });
});

it("replaces qualified calls, and imports what they need below the package", () => {
  const { text } = withoutDatatypeConverter("package p;\n\nx = javax.xml.bind.DatatypeConverter.parseHexBinary(y);\n");
  expect(text).toBe("package p;\n\nimport java.util.HexFormat;\n\nx = HexFormat.of().parseHex(y);\n");
});

it("keeps the old import for calls that it does not know, and imports nothing twice", () => {
  const source = `${header}import java.util.Base64;\nimport javax.xml.bind.DatatypeConverter;\n`;
  const calls = "DatatypeConverter.parseDateTime(x); DatatypeConverter.printBase64Binary(y);\n";
  const { text, left } = withoutDatatypeConverter(source + calls);
  expect(text).toBe(`${source}DatatypeConverter.parseDateTime(x); Base64.getEncoder().encodeToString(y);\n`);
  expect(left).toEqual(["parseDateTime"]);
});

it("changes nothing in a source that does not use it", () => {
  expect(withoutDatatypeConverter(header).text).toBe(header);
});
