import { afterEach, describe, expect, it, vi } from "vitest";
import { Api, Problem, path } from "./api";

function answers(status: number, document: object) {
  const asked = vi.fn(async (..._: Parameters<typeof fetch>) => new Response(JSON.stringify(document), { status }));
  vi.stubGlobal("fetch", asked);
  return asked;
}

const session = { name: "ann", role: "operator", tenants: null, csrf: "c-1" };

afterEach(() => vi.unstubAllGlobals());

describe("the API", () => {
  it("puts names into a path as single segments", () => {
    expect(path`/v1/rules/${"a/b c"}/page`).toBe("/v1/rules/a%2Fb%20c/page");
  });

  it("shows the sign-in's csrf with every act and with no look", async () => {
    const api = new Api();
    const asked = answers(200, session);
    await api.signIn("secret");
    await api.post("/v1/stops", {});
    await api.get("/v1/delivery");
    const shown = asked.mock.calls.map(([, how]) => new Headers(how?.headers).get("X-Sluice-Csrf"));
    expect(shown).toEqual([null, "c-1", null]);
  });

  it("changes only what was read", async () => {
    const asked = answers(200, {});
    await new Api().change("/v1/routes/r-1", { profiles: ["mail"] }, 7);
    const [, how] = asked.mock.calls[0] ?? [];
    expect(how?.method).toBe("PATCH");
    expect(new Headers(how?.headers).get("If-Match")).toBe('"7"');
  });

  it("tells a problem by its title and detail", async () => {
    answers(409, { title: "Not now.", detail: "one is in progress" });
    const failure = await new Api().post("/v1/x", {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Problem);
    expect((failure as Problem).text).toBe("Not now. one is in progress");
  });

  it("notices that its sign-in has ended", async () => {
    const api = new Api();
    answers(200, session);
    await api.signIn("secret");
    const told = vi.fn();
    api.signedOut = told;
    answers(401, {});
    await expect(api.get("/v1/delivery")).rejects.toBeInstanceOf(Problem);
    expect(told).toHaveBeenCalledOnce();
    expect(api.session).toBeNull();
  });

  it("lets those act who may", async () => {
    const api = new Api();
    expect(api.mayAct).toBe(false);
    for (const [role, may] of [["viewer", false], ["operator", true], ["admin", true]] as const) {
      answers(200, { ...session, role });
      await api.signIn("secret");
      expect(api.mayAct).toBe(may);
      expect(api.mayActOnAll).toBe(may);
      expect(api.isAdmin).toBe(role === "admin");
    }
    answers(200, { ...session, tenants: ["acme"] });
    await api.signIn("secret");
    expect(api.mayAct).toBe(true);
    expect(api.mayActOnAll).toBe(false);
  });
});
