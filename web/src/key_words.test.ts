import { describe, expect, it } from "vitest";
import { keyStory, neededBy, standingOf } from "./key_words";
import type { Key } from "./notification_documents";

const old: Key = {
  name: "k1", first: false, in_settings: true,
  uses: [{ thing: "contact_addresses", live: 1200, removed: 0 }, { thing: "profile_credentials", live: 1, removed: 0 }],
};

describe("a key", () => {
  it("says what still needs it", () => {
    expect(neededBy(old)).toBe("1,200 addresses and 1 profile's credentials");
    expect(neededBy({ ...old, uses: [{ thing: "subscription_secrets", live: 2, removed: 0 }] })).toBe("2 subscriptions' secrets");
    expect(standingOf(old)).toBe("needed");
    expect(keyStory(old)).toContain("“sluice keys rotate”");
  });

  it("may go when nothing needs it, and says what is forgotten then", () => {
    const bare = { ...old, uses: [{ thing: "contact_fingerprints", live: 0, removed: 3 }] };
    expect(standingOf(bare)).toBe("not_needed");
    expect(keyStory(bare)).toContain("3 suppressions of removed contact points are forgotten");
  });

  it("is missed where something needs it and the settings lack it", () => {
    const missing = { ...old, in_settings: false };
    expect(standingOf(missing)).toBe("missing");
    expect(keyStory(missing)).toMatch(/^1,200 addresses and 1 profile's credentials cannot be read/);
  });

  it("that comes first makes everything new", () => {
    expect(standingOf({ ...old, first: true })).toBe("makes_new");
    expect(keyStory({ ...old, first: true, uses: [] })).toBe("Everything new is made with it.");
  });
});
