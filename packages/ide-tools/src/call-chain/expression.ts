import type { Node } from "web-tree-sitter";
import type { Expression } from "./facts.js";

const unknown: Expression = { kind: "unknown" };

/** Expressions deeper than this are unknown. */
const maxDepth = 20;

/** Reads an expression of any of the languages; their grammars use different names for the same things. */
export function expressionOf(node: Node | null | undefined, depth = 0): Expression {
  if (node === null || node === undefined || depth > maxDepth) return unknown;
  const inner = (child: Node | null | undefined): Expression => expressionOf(child, depth + 1);
  switch (node.type) {
    case "this":
    case "this_expression":
      return { kind: "this" };
    case "super":
    case "super_expression":
      return { kind: "super" };
    case "identifier":
    case "simple_identifier":
    case "type_identifier":
      return nameOf(node.text);
    case "field_access": // Java
      return member(inner(node.childForFieldName("object")), node.childForFieldName("field"));
    case "member_expression": // TypeScript
      return member(inner(node.childForFieldName("object")), node.childForFieldName("property"));
    case "attribute": // Python
      return member(inner(node.childForFieldName("object")), node.childForFieldName("attribute"));
    case "navigation_expression": // Kotlin
      return member(inner(node.namedChild(0)), node.namedChild(1)?.namedChild(0));
    case "method_invocation": // Java
      return invocation(node, inner);
    case "call_expression": // TypeScript, Kotlin
    case "call": // Python
      return called(inner(node.childForFieldName("function") ?? node.namedChild(0)));
    case "object_creation_expression": // Java
      return created(node.childForFieldName("type"));
    case "new_expression": // TypeScript
      return created(node.childForFieldName("constructor"));
    case "parenthesized_expression":
    case "await_expression":
    case "await":
    case "non_null_expression":
      return inner(node.namedChild(0));
    case "cast_expression": // Java
      return created(node.childForFieldName("type"));
    case "as_expression": // TypeScript, Kotlin
      return created(node.namedChild(1));
    default:
      return unknown;
  }
}

/** Python's `self` is a name like any other to its grammar. */
function nameOf(name: string): Expression {
  return name === "self" || name === "cls" ? { kind: "this" } : { kind: "name", name };
}

function member(on: Expression, name: Node | null | undefined): Expression {
  return name === null || name === undefined ? unknown : { kind: "member", on, name: name.text };
}

function invocation(node: Node, inner: (child: Node | null) => Expression): Expression {
  const object = node.childForFieldName("object");
  const name = node.childForFieldName("name")?.text ?? "";
  return { kind: "call", on: object === null ? undefined : inner(object), name };
}

function called(target: Expression): Expression {
  if (target.kind === "name") return { kind: "call", on: undefined, name: target.name };
  return target.kind === "member" ? { kind: "call", on: target.on, name: target.name } : unknown;
}

function created(type: Node | null | undefined): Expression {
  const name = type === null || type === undefined ? undefined : typeNameOf(type.text);
  return name === undefined ? unknown : { kind: "new", type: name };
}

/** The simple name of a type as it is written: without its package, type arguments, quotes and nullability. */
export function typeNameOf(text: string): string | undefined {
  const [, name] = /^["'\s]*((?:[\p{L}_$][\p{L}\p{N}_$]*\.)*[\p{L}_$][\p{L}\p{N}_$]*)/u.exec(text) ?? [];
  const isInferred = name === undefined || name === "var" || name === "val" || /\[\]\s*$/.test(text);
  return isInferred ? undefined : name.slice(name.lastIndexOf(".") + 1);
}
