export { fileSessionStore } from "./stores/file-store.js";
export { replaceFile, ReplaceFileError, type ReplaceFault } from "./stores/replace-file.js";
