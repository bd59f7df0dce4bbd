import { describe, expect, it } from "vitest";
import { addable, moved, routesWith, settingRows, tellsBy } from "./profile_words";

describe("a route's order", () => {
  it("changes by one place, and not beyond its ends", () => {
    expect(moved(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
    expect(moved(["a", "b"], 1, 1)).toEqual(["a", "b"]);
  });

  it("takes those of its tenant that it does not have", () => {
    expect(addable(["a"], [{ name: "a" }, { name: "b" }])).toEqual(["b"]);
  });
});

describe("a profile", () => {
  it("is in the routes of its own tenant that name it", () => {
    const route = { id: "r", tenant: "acme", name: "news", profiles: ["mail"], revision: 1, updated_at: "" };
    expect(routesWith({ tenant: "acme", name: "mail" }, [route, { ...route, tenant: "bolt" }])).toEqual([route]);
    expect(routesWith({ tenant: "acme", name: "sms" }, [route])).toEqual([]);
  });

  it("shows its settings as they are, and how its provider tells what became of messages", () => {
    expect(settingRows({ message_stream: "news", port: 25, hosts: ["a"] })).toEqual([["message stream", "news"], ["port", "25"], ["hosts", '["a"]']]);
    expect(tellsBy({ provider: "twilio" })).toBe("callbacks");
    expect(tellsBy({ provider: "smtp" })).toBe("mails");
    expect(tellsBy({ provider: "apns" })).toBe("nothing");
  });
});
