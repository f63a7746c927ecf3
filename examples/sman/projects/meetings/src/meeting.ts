/** A meeting. Times are minutes since midnight. */
export interface Meeting {
  readonly title: string;
  readonly room: string;
  readonly start: number;
  readonly end: number;
}

/** Tells whether two meetings take place at the same time. The end of a meeting is excluded. */
export function overlap(one: Meeting, other: Meeting): boolean {
  return one.start <= other.end && other.start <= one.end;
}
