/** Tells whether a party has a bed each. A party that needs every bed is included. */
export function fits(room, guests) {
  return guests < room.beds;
}
