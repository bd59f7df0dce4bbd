import type { Session } from "./documents";

/** Why the node did not do what it was asked. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    title: string,
    readonly detail: string,
  ) {
    super(title);
  }

  get text(): string {
    return this.detail ? `${this.message} ${this.detail}` : this.message;
  }
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(0, "The node does not answer.", "Is it running, and is this machine connected?");
}

/** The node's API with the sign-in of this page. */
export class Api {
  session: Session | null = null;
  signedOut: () => void = () => {};

  get<Document>(path: string, signal?: AbortSignal): Promise<Document> {
    return this.send("GET", path, undefined, signal);
  }

  post<Document>(path: string, body: object): Promise<Document> {
    return this.send("POST", path, body);
  }

  /** Changes what is sent of it, if it still is what was read. */
  change<Document>(path: string, body: object, revision: number): Promise<Document> {
    return this.send("PATCH", path, body, undefined, { "If-Match": `"${revision}"` });
  }

  async signIn(token: string): Promise<Session> {
    const ask = () => this.send<Session>("POST", "/v1/session", { token });
    this.session = await ask().catch(async (error: unknown) => {
      if (problemOf(error).status !== 403) throw error;
      // An earlier sign-in may still be there, and has to go first.
      await this.resume().catch(() => {
        throw error;
      });
      await this.signOut();
      return ask();
    });
    return this.session;
  }

  /** The sign-in the browser still has. */
  async resume(): Promise<Session> {
    this.session = await this.send<Session>("GET", "/v1/session");
    return this.session;
  }

  async signOut(): Promise<void> {
    await this.send("DELETE", "/v1/session");
    this.session = null;
  }

  get mayAct(): boolean {
    return this.session?.role === "operator" || this.session?.role === "admin";
  }

  get isAdmin(): boolean {
    return this.session?.role === "admin";
  }

  /** What concerns every tenant is for those who see every tenant. */
  get mayActOnAll(): boolean {
    return this.mayAct && this.session?.tenants === null;
  }

  private async send<Document>(
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
    more: Record<string, string> = {},
  ): Promise<Document> {
    const headers: Record<string, string> = { Accept: "application/json", ...more };
    if (body) headers["Content-Type"] = "application/json";
    if (this.session && method !== "GET") headers["X-Sluice-Csrf"] = this.session.csrf;
    const answer = await fetch(path, {
      method,
      headers,
      credentials: "same-origin",
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.text();
    const document = (text ? JSON.parse(text) : {}) as Document & { title?: string; detail?: string };
    if (answer.ok) return document;
    if (answer.status === 401 && this.session) {
      this.session = null;
      this.signedOut();
    }
    throw new Problem(answer.status, document.title ?? "The node refused.", document.detail ?? "");
  }
}

export const api = new Api();

/** A path of the API; names are put into it as single segments. */
export function path(parts: TemplateStringsArray, ...names: (string | number)[]): string {
  return parts.reduce((made, part, at) => made + encodeURIComponent(String(names[at - 1])) + part);
}
