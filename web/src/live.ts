import type { Progress } from "./documents";

/** Runs `act` at once, then again whenever it was asked for, at most once in `pause` milliseconds. */
export function atMostEvery(pause: number, act: () => void): { ask: () => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wanted = false;
  const rest = () => {
    timer = undefined;
    if (wanted) ask();
  };
  const ask = () => {
    wanted = timer !== undefined;
    if (wanted) return;
    timer = setTimeout(rest, pause);
    act();
  };
  return {
    ask,
    end: () => {
      clearTimeout(timer);
      timer = undefined;
      wanted = false;
    },
  };
}

const refetchPause = 1_000;
const pollInterval = 5_000; // without events
const lookInterval = 20_000; // with them: some states come with time alone
const returnPause = 60_000; // a node that refused its events may have a place for this page later

const changes = ["snapshot", "rule", "rule_gone", "stops"];

type Listener = () => void;
type Follower = (progress: Progress) => void;

/** A backfill's progress: what was said of it, or what was read, whichever is further on. */
export function furthest(until: string, read: Progress | null, said: Progress | null): Progress | null {
  return said?.until === until && said.passed >= (read?.passed ?? 0) ? said : read;
}

/** Tells its listeners when something may have changed: the node says so, or, without its events, the clock. */
export class Live {
  private readonly listeners = new Set<Listener>();
  private readonly followers = new Set<readonly [rule: string, Follower]>();
  private events: EventSource | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;
  private state = "";
  private readonly changed = atMostEvery(refetchPause, () => this.listeners.forEach((each) => each()));

  start(): void {
    this.end();
    this.poll(pollInterval);
    const events = new EventSource("/v1/live");
    this.events = events;
    events.onopen = () => this.poll(lookInterval);
    events.onerror = () => {
      this.poll(pollInterval);
      if (events.readyState === EventSource.CLOSED) this.later = setTimeout(() => this.start(), returnPause);
    };
    for (const name of changes) events.addEventListener(name, () => this.changed.ask());
    events.addEventListener("state", (event) => this.onState(event.data));
    events.addEventListener("backfill", (event) => this.onBackfill(event.data));
  }

  end(): void {
    this.events?.close();
    clearInterval(this.timer);
    clearTimeout(this.later);
    this.changed.end();
  }

  /** Something was done here: what it did is looked at soon. */
  hint(): void {
    this.changed.ask();
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What is said of the rule's backfill. */
  follow(rule: string, follower: Follower): () => void {
    const entry = [rule, follower] as const;
    this.followers.add(entry);
    return () => this.followers.delete(entry);
  }

  /** A sign of life alone changes nothing that is shown. */
  private onState(data: string): void {
    const { global, counts } = JSON.parse(data) as { global: string; counts: object };
    const state = JSON.stringify([global, counts]);
    if (state !== this.state) this.changed.ask();
    this.state = state;
  }

  private onBackfill(data: string): void {
    const { rule, ...progress } = JSON.parse(data) as Progress & { rule: string };
    for (const [followed, tell] of this.followers) if (followed === rule) tell(progress);
  }

  private poll(interval: number): void {
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      if (!document.hidden) this.changed.ask();
    }, interval);
  }
}

export const live = new Live();
