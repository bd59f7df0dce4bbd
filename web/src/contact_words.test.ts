import { describe, expect, it } from "vitest";
import { contactKinds, kindText, liftingWarning, suppressionText } from "./contact_words";

describe("a contact point", () => {
  it("is called by its kind, for it shows no address", () => {
    for (const kind of contactKinds) expect(kindText(kind)).not.toBe(kind);
    expect(kindText("carrier_pigeon")).toBe("carrier pigeon");
  });

  it("says why nothing is sent to it, and what to think of before that ends", () => {
    const complaint = { reason: "complaint", detail: null, at: "", by: "mail" };
    expect(suppressionText(complaint)).toBe("Whoever it belongs to complained.");
    expect(liftingWarning(complaint)).toContain("complained");
    expect(liftingWarning({ ...complaint, reason: "person" })).toBe("");
    expect(suppressionText({ ...complaint, reason: "new_reason" })).toBe("new reason");
  });
});
