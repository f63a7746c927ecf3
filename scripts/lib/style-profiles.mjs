// A profile is data: code reads its traits, and never compares its name or asks which one it is.
import { readFileSync } from "node:fs";
import ts from "typescript";
import { fromRoot } from "./workspace.mjs";

const equality = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** The places of one source file that compare a profile, or hand its name to code that can. */
export function profileFindings(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const findings = [];
  const visit = (node) => {
    const fault = faultOf(node);
    if (fault) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      findings.push(`${fromRoot(file)}:${line + 1}: ${fault}; read a trait of the profile`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

function faultOf(node) {
  if (ts.isBinaryExpression(node) && equality.has(node.operatorToken.kind)) {
    const sides = [node.left, node.right].map(bare);
    if (sides.some(isNothing)) return undefined;
    if (sides.some((side) => isProfile(side) || isNameOfProfile(side))) return "compares a profile";
  }
  if (ts.isSwitchStatement(node) && (isProfile(bare(node.expression)) || isNameOfProfile(bare(node.expression))))
    return "branches on a profile";
  if (ts.isElementAccessExpression(node) && isNameOfProfile(bare(node.argumentExpression)))
    return "looks up a profile's name";
  if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && node.arguments?.map(bare).some(isNameOfProfile))
    return "passes a profile's name on";
  if (ts.isVariableDeclaration(node) && takesName(node)) return "takes a profile's name";
  return undefined;
}

/** Without brackets, `!`, `as`, and the default in `options.profile ?? …`. */
function bare(node) {
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return bare(node.expression);
  const isDefault = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
  return isDefault ? bare(node.left) : node;
}

const isNothing = (node) =>
  node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === "undefined");

/** `profile`, `this.#profile`, `options.profile`, `acpProfiles.spec`. */
function isProfile(node) {
  if (ts.isIdentifier(node)) return /(^p|P)rofile$/.test(node.text);
  if (!ts.isPropertyAccessExpression(node)) return false;
  const owner = bare(node.expression);
  return /^#?(\w*P|p)rofile$/.test(node.name.text) || (ts.isIdentifier(owner) && /(^p|P)rofiles$/.test(owner.text));
}

const isNameOfProfile = (node) =>
  ts.isPropertyAccessExpression(node) && node.name.text === "name" && isProfile(bare(node.expression));

const takesName = ({ name, initializer }) =>
  initializer !== undefined &&
  ts.isObjectBindingPattern(name) &&
  isProfile(bare(initializer)) &&
  name.elements.some((element) => (element.propertyName ?? element.name).getText() === "name");
