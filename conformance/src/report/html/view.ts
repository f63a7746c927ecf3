import type { Route } from "./router.js";

/** A view's reaction to each key; `true` when there was nothing to do. */
export type Keys = Readonly<Record<string, () => void>>;

/** One page of the report. */
export interface View {
  readonly title: string;
  readonly element: HTMLElement;
  /** Keys that only this view has. */
  readonly keys?: Keys | undefined;
  /** The field that `/` goes to. */
  readonly search?: HTMLInputElement | undefined;
  /** Moves the view to another place within it. Returns `false` when the view must be rebuilt. */
  update?(route: Route): boolean;
  /** Called once it is in the document. */
  shown?(): void;
  destroy?(): void;
}
