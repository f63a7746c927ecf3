import { InvalidArgumentError } from "commander";

/** Reads a port, or 0 for any that is free. Throws an `InvalidArgumentError` for any other text. */
export function portNumber(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw new InvalidArgumentError("Expected a port number.");
  return Number(value);
}

/** Reads a number of tokens. Throws an `InvalidArgumentError` for any other text. */
export function tokenCount(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError("Expected a number of tokens.");
  return Number(value);
}

/** Reads a time. Throws an `InvalidArgumentError` for any other text. */
export function milliseconds(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError("Expected a number of milliseconds.");
  return Number(value);
}

/** Reads a URL, or the empty text. Throws an `InvalidArgumentError` for any other text. */
export function httpUrl(value: string): string {
  if (value !== "" && !(/^https?:/.test(value) && URL.canParse(value)))
    throw new InvalidArgumentError("Expected an http or https URL.");
  return value;
}

/** Reads a price. Throws an `InvalidArgumentError` for any other text. */
export function dollars(value: string): number {
  if (!/^\d{1,6}(\.\d+)?$/.test(value)) throw new InvalidArgumentError("Expected a number of dollars.");
  return Number(value);
}
