import { describe, expect, it } from "vitest";
import { addressOf, placeOf, titleOf, type Place } from "./places";

function at(address: string): Place {
  return placeOf(new URL(address, "http://node"));
}

describe("places", () => {
  it("have an address that leads back to them", () => {
    const places: Place[] = [
      { page: "delivery", search: "" },
      { page: "delivery", search: "acme & söhne" },
      { page: "connections" },
      { page: "rule", rule: "a/b c", status: "" },
      { page: "rule", rule: "to crm", status: "failed" },
      { page: "record", rule: "to crm", sourceId: "x/1?y" },
      { page: "subscriptions", status: "", after: "" },
      { page: "subscriptions", status: "disabled", after: "100" },
      { page: "subscription", subscription: "s-1", state: "", before: "" },
      { page: "subscription", subscription: "s-1", state: "dead", before: "4711" },
      { page: "push", subscription: "s-1", event: "e/1", before: "" },
      { page: "push", subscription: "s-1", event: "e/1", before: "21" },
      { page: "notifications", state: "", contact: "", before: "" },
      { page: "notifications", state: "ambiguous", contact: "c/1", before: "7" },
      { page: "notification", notification: "n/1" },
      { page: "contacts", kind: "email", suppressed: "true", after: "7" },
      { page: "contact", contact: "c-1" },
      { page: "callbacks", progress: "unmatched", profile: "p-1", before: "7" },
      { page: "refused", before: "7" },
      { page: "reconciliation", kind: "overdue_callback", people: "true", after: "7" },
      { page: "profiles" },
      { page: "keys" },
    ];
    for (const place of places) expect(at(addressOf(place))).toEqual(place);
  });

  it("are nowhere under an address that is not theirs", () => {
    expect(at("/somewhere")).toEqual({ page: "nowhere" });
    expect(at("/rules")).toEqual({ page: "nowhere" });
    expect(at("/rules/a/else/b")).toEqual({ page: "nowhere" });
    expect(at("/subscriptions/s-1/replays/r-1")).toEqual({ page: "nowhere" });
    expect(at("/subscriptions/s-1/deliveries")).toEqual({ page: "nowhere" });
    expect(at("/notifications/n-1/more")).toEqual({ page: "nowhere" });
    expect(at("/callbacks/e-1")).toEqual({ page: "nowhere" });
    expect(at("/keys/k1")).toEqual({ page: "nowhere" });
    expect(at("/constructor")).toEqual({ page: "nowhere" });
  });

  it("tell in the title how many rules need attention", () => {
    expect(titleOf({ page: "delivery", search: "" }, 0)).toBe("Delivery · Sluice");
    expect(titleOf({ page: "rule", rule: "to crm", status: "" }, 3)).toBe("(3) to crm · Sluice");
    const subscription = "018f3c2a-7b1e-7000-8000-00000000c001";
    expect(titleOf({ page: "subscription", subscription, state: "dead", before: "" }, 0)).toBe("Subscription 0000c001 · Sluice");
    expect(titleOf({ page: "notification", notification: subscription }, 0)).toBe("Notification 0000c001 · Sluice");
  });
});
