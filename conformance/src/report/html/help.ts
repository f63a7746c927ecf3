import { h } from "./dom.js";

const keys: readonly (readonly [string, string])[] = [
  ["j k", "next, previous row"],
  ["Enter", "open it"],
  ["Esc", "close, or go back"],
  ["/", "search"],
  ["n p", "next, previous finding in a case"],
  ["[ ]", "previous, next case"],
  ["1 2 3", "summary, requirements, cases"],
  ["t", "light or dark"],
  ["?", "this help"],
];

/** The dialog that lists the keys. */
export function helpDialog(): HTMLDialogElement {
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h(
      "dl",
      {},
      keys.map(([key, does]) => [
        h(
          "dt",
          {},
          key.split(" ").map((one) => h("kbd", {}, one)),
        ),
        h("dd", {}, does),
      ]),
    ),
    h("form", { method: "dialog" }, h("button", { class: "quiet" }, "Close")),
  );
  dialog.addEventListener("click", (event) => void (event.target === dialog && dialog.close()));
  return dialog;
}
