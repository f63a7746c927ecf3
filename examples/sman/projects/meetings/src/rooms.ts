import { type Meeting, overlap } from "./meeting.js";

/** The first meeting that keeps a new one out of its room. */
export function firstConflict(booked: readonly Meeting[], wanted: Meeting): Meeting | undefined {
  return booked.find((meeting) => meeting.room === wanted.room && overlap(meeting, wanted));
}

/** The rooms that are free for a meeting. */
export function freeRooms(rooms: readonly string[], booked: readonly Meeting[], wanted: Meeting): string[] {
  return rooms.filter((room) => firstConflict(booked, { ...wanted, room }) === undefined);
}
