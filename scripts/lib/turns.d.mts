/** The turn of a name, from 0 to 9. */
export function turnOf(name: string): number;
