export { fileSessionStore, type FileSessionStoreOptions } from "./file-session-store.js";
export {
  type FileStamp,
  replaceFile,
  ReplaceFileError,
  type ReplaceFileOptions,
  type ReplaceFault,
} from "./replace-file.js";
