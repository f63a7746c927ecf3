import { describe, expect, it } from "vitest";
import { checkGuard, createGuard, type GuardOptions } from "../src/listening/guard.js";

const check = (options: GuardOptions, headers: Record<string, string>): number | undefined =>
  createGuard(options)(new Headers(headers))?.status;

describe("the guard of a listener", () => {
  it.each(["localhost", "LOCALHOST:3000", "127.0.0.1:9000", "[::1]:9000"])(
    "admits a program that asks for %s",
    (host) => {
      expect(check({}, { host })).toBeUndefined();
    },
  );

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "127.0.0.1@evil.example", ""])(
    "refuses the Host %j, as DNS rebinding sends it",
    (host) => {
      expect(check({}, { host })).toBe(403);
    },
  );

  it("admits a host by name only", () => {
    expect(check({ hosts: ["agents.example"] }, { host: "agents.example:443" })).toBeUndefined();
    expect(check({ hosts: ["agents.example"] }, { host: "localhost" })).toBe(403);
  });

  it("admits any host behind credentials, and behind nothing else", () => {
    const options = { hosts: ["*"], token: "s3cret" };
    expect(check(options, { host: "192.0.2.1:80", authorization: "Bearer s3cret" })).toBeUndefined();
    expect(check(options, { host: "192.0.2.1:80" })).toBe(401);
    expect(() => checkGuard(options)).not.toThrow();
    expect(() => checkGuard({ hosts: ["*"], authenticate: () => "a" })).not.toThrow();
    expect(() => checkGuard({ hosts: ["*"] })).toThrow(
      new TypeError('expected a token or authenticate for the host "*"'),
    );
  });

  it("takes no empty token for a secret", () => {
    expect(() => checkGuard({ token: "" })).toThrow(new TypeError("expected a token that is not empty"));
  });

  it.each(["https://evil.example", "null", "http://localhost:3000"])(
    "refuses the Origin %s unless it is named",
    (origin) => {
      expect(check({}, { host: "localhost", origin })).toBe(403);
      expect(check({ origins: [origin] }, { host: "localhost", origin })).toBeUndefined();
    },
  );

  it("asks for the whole bearer token", () => {
    const options = { token: "s3cret" };
    expect(check(options, { host: "localhost", authorization: "Bearer s3cret" })).toBeUndefined();
    for (const authorization of ["Bearer s3cre", "Bearer s3cret2", "Bearer ", "Basic s3cret", "s3cret"]) {
      expect(check(options, { host: "localhost", authorization })).toBe(401);
    }
    expect(check(options, { host: "localhost" })).toBe(401);
  });
});
