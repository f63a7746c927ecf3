/** A project of the demo, and the task for it. */
export interface Example {
  readonly projectKey: string;
  readonly title: string;
  readonly prompt: string;
  /** The file with the defect. */
  readonly file: string;
  /** A text that the file contains once the defect is fixed. */
  readonly fixed: string;
}

/** A project in Java. */
export const orders: Example = {
  projectKey: "orders",
  title: "A Java project",
  prompt:
    'An order of exactly 50.00 has "Shipping: " and 4.90 on its receipt, but goods from 50.00 on are sent for free.',
  file: "src/main/java/com/example/orders/Shipping.java",
  fixed: "return goodsCents >= FREE_FROM_CENTS;",
};

/** A project in TypeScript. */
export const meetings: Example = {
  projectKey: "meetings",
  title: "A TypeScript project, whose IDE is killed in the middle of a call",
  prompt: 'Booking a room from 10:00 on fails with "is taken by", but the meeting before it ends at 10:00.',
  file: "src/meeting.ts",
  fixed: "return one.start < other.end && other.start < one.end;",
};
