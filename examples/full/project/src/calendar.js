import { overlap } from "./stay.js";

/** Books a stay. Throws when its room is taken. */
export function book(booked, wanted) {
  const conflict = booked.find((stay) => stay.room === wanted.room && overlap(stay, wanted));
  if (conflict !== undefined) throw new Error(`the ${wanted.room} room is taken by ${conflict.guest}`);
  return [...booked, wanted];
}
