// For both sides.
export { ecaFraming, ecaPeer } from "./wire.js";
