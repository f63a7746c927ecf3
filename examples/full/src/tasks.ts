/** A task of the agent, and the proof that it succeeded. */
export interface Task {
  readonly text: string;
  /** The file with the defect. */
  readonly file: string;
  /** A text that the file contains once the defect is fixed. */
  readonly fixed: string;
}

/** The task that the user of the host gives. */
export const asked: Task = {
  text: 'The garden room is free from day 4 on, but booking it fails with "room is taken by".',
  file: "src/stay.js",
  fixed: "one.from < other.to && other.from < one.to",
};

/** The task that the user of the ECA editor adds while the agent works. */
export const added: Task = {
  text: 'And seven nights have "the full price" on their invoice, although they are a long stay.',
  file: "src/discount.js",
  fixed: "nights >= 7",
};

/** The incident that the Kaiak client reports. */
export const incident: Task = {
  text: 'A party of two does not get the room with two beds: "is too small"',
  file: "src/beds.js",
  fixed: "guests <= room.beds",
};

/** All of them, in the order in which they are done. */
export const tasks: readonly Task[] = [asked, added, incident];
