/** The model that the scripted endpoint lists; it answers to any name. */
export const SCRIPTED_MODEL = "scripted";
