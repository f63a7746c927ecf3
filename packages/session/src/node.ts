export { fileSessionStore, type FileSessionStoreOptions } from "./stores/file-store.js";
export {
  type FileStamp,
  replaceFile,
  ReplaceFileError,
  type ReplaceFileOptions,
  type ReplaceFault,
} from "./stores/replace-file.js";
