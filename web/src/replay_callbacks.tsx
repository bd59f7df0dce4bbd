import { useEffect, useRef, useState } from "preact/hooks";
import { api, problemOf, type Problem } from "./api";
import { Confirm, type Answering } from "./confirm";
import { plural } from "./format";
import { live } from "./live";

interface Step {
  events: number;
  attempts: number;
  next: number | null;
}

/** Asks for it step by step; whoever closes the question ends it where it is, which does no harm. */
export function ReplayCallbacks({ close, done }: Answering) {
  const [attempts, setAttempts] = useState<number | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const over = useRef(false);
  useEffect(() => () => void (over.current = true), []);
  const run = async () => {
    setProblem(null);
    setAttempts(0);
    let counted = 0;
    try {
      for (let after: number | null = 0; after !== null && !over.current; ) {
        const step: Step = await api.post<Step>("/v1/provider-events/replay", { after });
        counted += step.attempts;
        after = step.next;
        if (!over.current) setAttempts(counted);
      }
      live.hint();
      if (!over.current) done(`Made anew what became of ${plural(counted, "attempt")}.`);
    } catch (error) {
      setProblem(problemOf(error));
      setAttempts(null);
    }
  };
  return (
    <Confirm title="Replay what providers told?" verb="Replay" busy={attempts !== null} problem={problem} close={close} go={() => void run()}>
      <p>
        What became of every message is made anew from the events that are kept. Nothing is sent, and nothing changes where it was right: it
        is for after a version that reads events better.
      </p>
      <p role="status">{attempts === null ? "" : `${plural(attempts, "attempt")} so far…`}</p>
    </Confirm>
  );
}
