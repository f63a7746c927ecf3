/** An expression that a method is called on, as far as it tells the type. */
export type Expression =
  | { readonly kind: "this" | "super" | "unknown" }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "new"; readonly type: string }
  | { readonly kind: "member"; readonly on: Expression; readonly name: string }
  | { readonly kind: "call"; readonly on: Expression | undefined; readonly name: string };

/** A field, a parameter or a variable. */
export interface Variable {
  readonly name: string;
  /** The type that is written with it. */
  readonly type: string | undefined;
  /** Its first value. */
  readonly value: Expression | undefined;
  /** The method whose names the value uses; absent in the body of a class. */
  readonly method: MethodFacts | undefined;
}

/** A call in the source. */
export interface CallSite {
  /** The method's name, or the type's name of a `new` expression. */
  readonly name: string;
  readonly on: Expression | undefined;
  readonly isNew: boolean;
  /** Counted from 1. */
  readonly line: number;
}

/** A class, an interface, an object or the like; or a file, which holds the functions outside of classes. */
export interface ClassFacts {
  readonly file: FileFacts;
  /** With the classes around it: `Outer.Inner`. For a file, its name without the extension. */
  readonly name: string;
  readonly isModule: boolean;
  readonly outer: ClassFacts | undefined;
  /** The simple names of the types that it extends or implements. */
  readonly supers: string[];
  readonly fields: Map<string, Variable>;
  readonly methods: MethodFacts[];
}

/** A method or a function. */
export interface MethodFacts {
  readonly owner: ClassFacts;
  /** `<init>` for a constructor, `<top>` for the code outside of methods. */
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  /** The simple name of the type that it returns. */
  returns: string | undefined;
  /** The simple name of the type that it extends, in Kotlin. */
  receiver: string | undefined;
  readonly variables: Map<string, Variable>;
  readonly calls: CallSite[];
}

/** Languages that call each other. */
export type Family = "jvm" | "js" | "py";

/** The declarations and calls in a source file. */
export interface FileFacts {
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  /** Sources of one family call each other: those of the JVM, those of JavaScript, those of Python. */
  readonly family: Family;
  package: string;
  /** Full names of imported classes. */
  readonly imports: string[];
  /** The first one is the file itself. */
  readonly classes: ClassFacts[];
}

/** The name of constructors. */
export const constructorName = "<init>";
/** The name of the code outside of methods. */
export const topName = "<top>";

/** The last part of a dotted name. */
export function simpleName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
