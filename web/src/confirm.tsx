import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api, problemOf, type Problem } from "./api";
import { live } from "./live";
import { Dialog, Trouble } from "./parts";

/** How a question ends: by nothing, or by what was done. */
export interface Answering {
  close: () => void;
  done: (sentence: string) => void;
}

/** Sends what was confirmed, once; a refusal is shown and the question stays. */
export function useSending(done: (sentence: string) => void) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async <Answer,>(to: string, body: object, sentence: string | ((answer: Answer) => string)) => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await api.post<Answer>(to, body);
      live.hint();
      done(typeof sentence === "string" ? sentence : sentence(answer));
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return { problem, busy, send };
}

export function Confirm(props: {
  title: string;
  verb: string;
  danger?: boolean;
  off?: boolean;
  busy: boolean;
  problem: Problem | null;
  close: () => void;
  go: () => void;
  children?: ComponentChildren;
}) {
  const submit = (event: Event) => {
    event.preventDefault();
    if (!props.off && !props.busy) props.go();
  };
  return (
    <Dialog title={props.title} close={props.close}>
      <form onSubmit={submit}>
        {props.children}
        <Trouble problem={props.problem} />
        <div class="answers">
          <button type="button" onClick={props.close}>
            Cancel
          </button>
          <button type="submit" class={props.danger ? "danger" : "primary"} disabled={props.off || props.busy}>
            {props.verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
