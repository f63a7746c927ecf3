import { everyFile, recipe } from "../../tsup.base.js";

export default recipe(everyFile());
