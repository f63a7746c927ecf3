import type { Meeting } from "./meeting.js";
import { firstConflict } from "./rooms.js";

/** Books a meeting. Throws when its room is taken. */
export function book(booked: readonly Meeting[], wanted: Meeting): Meeting[] {
  const conflict = firstConflict(booked, wanted);
  if (conflict !== undefined) throw new Error(`the room ${wanted.room} is taken by ${conflict.title}`);
  return [...booked, wanted];
}
