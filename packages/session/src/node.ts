export { fileSessionStore, type FileSessionStoreOptions } from "./file-session-store.js";
