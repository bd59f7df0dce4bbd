import { describe, expect, it } from "vitest";
import { consequenceOf, settled } from "./settling";

describe("settling", () => {
  it("says what follows, the harm of an error included", () => {
    expect(consequenceOf("accepted", 2, "mail")).toContain("nobody gets it");
    expect(consequenceOf("not-sent", 2, "mail")).toBe(
      "It is due again at once, at mail, as attempt 3. If attempt 2 arrived after all, its receiver gets the message twice.");
  });

  it("names the attempt that was looked at, and a message alone that was taken", () => {
    expect(settled("accepted", 2, " m-1 ", " seen ")).toEqual({ outcome: "accepted", attempt: 2, reason: "seen", provider_message_id: "m-1" });
    expect(settled("accepted", 2, "", "")).toEqual({ outcome: "accepted", attempt: 2, reason: "" });
    expect(settled("not-sent", 1, "m-1", "")).toEqual({ outcome: "not-sent", attempt: 1, reason: "" });
  });
});
