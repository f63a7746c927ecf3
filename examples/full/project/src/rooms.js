import { fits } from "./beds.js";

/** Gives a party a room. Throws when it has too few beds. */
export function assign(room, guests) {
  if (!fits(room, guests)) throw new Error(`${room.name} is too small`);
  return { room: room.name, guests };
}
