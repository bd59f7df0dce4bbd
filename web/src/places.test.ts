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
    ];
    for (const place of places) expect(at(addressOf(place))).toEqual(place);
  });

  it("are nowhere under an address that is not theirs", () => {
    expect(at("/somewhere")).toEqual({ page: "nowhere" });
    expect(at("/rules")).toEqual({ page: "nowhere" });
    expect(at("/rules/a/else/b")).toEqual({ page: "nowhere" });
  });

  it("tell in the title how many rules need attention", () => {
    expect(titleOf({ page: "delivery", search: "" }, 0)).toBe("Delivery · Sluice");
    expect(titleOf({ page: "rule", rule: "to crm", status: "" }, 3)).toBe("(3) to crm · Sluice");
  });
});
