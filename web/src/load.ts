import { useEffect, useRef, useState } from "preact/hooks";
import { api, problemOf, type Problem } from "./api";
import type { Progress } from "./documents";
import { furthest, live } from "./live";

export interface Loaded<Document> {
  document: Document | null;
  problem: Problem | null;
}

/** What moves with every chain, which no event tells. */
export const moving = 3_000;

/** A document of the API, asked for again whenever something may have changed, and every so many milliseconds.
    What was there stays until the next one has come. */
export function useDocument<Document>(path: string, every = 0): Loaded<Document> {
  const [loaded, setLoaded] = useState<Loaded<Document>>({ document: null, problem: null });
  const asking = useRef<AbortController | null>(null);
  useEffect(() => {
    let again = false;
    const ask = async () => {
      again = asking.current !== null; // a slow node is asked again only when it has answered
      if (again) return;
      const control = new AbortController();
      asking.current = control;
      try {
        const answer = await api.get<Document>(path, control.signal);
        if (!control.signal.aborted) setLoaded({ document: answer, problem: null });
      } catch (error) {
        if (!control.signal.aborted) setLoaded((was) => ({ document: was.document, problem: problemOf(error) }));
      } finally {
        if (asking.current === control) {
          asking.current = null;
          if (again) void ask();
        }
      }
    };
    void ask();
    const stop = live.listen(() => void ask());
    const timer = every > 0 ? setInterval(() => document.hidden || void ask(), every) : undefined;
    return () => {
      stop();
      clearInterval(timer);
      asking.current?.abort();
      asking.current = null;
    };
  }, [path, every]);
  return loaded;
}

/** A backfill's progress as it is known now. */
export function useProgress(rule: string, until: string, read: Progress | null): Progress | null {
  const [said, setSaid] = useState<Progress | null>(null);
  useEffect(() => live.follow(rule, setSaid), [rule]);
  return furthest(until, read, said);
}
