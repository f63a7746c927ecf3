import { dateOf } from "./day.js";
import { overlaps } from "./stay.js";

/** Keeps the bookings of the given rooms. */
export function createCalendar(rooms) {
  const bookings = [];

  function conflictOf(room, stay) {
    return bookings.find((booking) => booking.room === room && overlaps(booking.stay, stay));
  }

  return {
    /** Keeps a room for a guest. Throws when the room does not exist, or when it is taken for one of the nights. */
    book(room, guest, stay) {
      if (!rooms.includes(room)) throw new Error(`No such room: ${room}`);
      const conflict = conflictOf(room, stay);
      if (conflict) {
        throw new Error(`The ${room} room is taken by ${conflict.guest} until ${dateOf(conflict.stay.to)}`);
      }
      const booking = { room, guest, stay };
      bookings.push(booking);
      return booking;
    },

    /** Gives a booked room back. Throws when the booking is not (or no longer) there. */
    cancel(booking) {
      const index = bookings.indexOf(booking);
      if (index === -1) throw new Error("No such booking");
      bookings.splice(index, 1);
    },

    /** Lists the rooms that are free for the whole stay, in the house's order. */
    freeRooms(stay) {
      return rooms.filter((room) => conflictOf(room, stay) === undefined);
    },
  };
}
