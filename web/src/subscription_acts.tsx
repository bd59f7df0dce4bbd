import { useEffect, useState } from "preact/hooks";
import { api, path, problemOf, type Problem } from "./api";
import { Confirm, useSending, type Answering } from "./confirm";
import type { Push, PushState, Replay, Subscription } from "./documents";
import { count, plural, shortId, words } from "./format";
import { askedOf, replayStates, typedTime, type Window } from "./subscription_words";

/** What somebody is about to do to a subscription or a delivery of it. `now` is the node's. */
export type SubscriptionAct =
  | { act: "status"; verb: "pause" | "resume" | "enable" | "disable"; of: Subscription }
  | { act: "test"; of: Subscription }
  | { act: "push again"; of: Subscription; push: Push }
  | { act: "replay"; of: Subscription; now: string }
  | { act: "cancel"; of: Subscription; replay: Replay };

interface Question<Kind extends SubscriptionAct["act"]> extends Answering {
  of: Extract<SubscriptionAct, { act: Kind }>;
}

const statusActs = {
  pause: { title: "Pause", said: "Paused", explains: "No push of it starts any more once this is confirmed. What is for it is kept and waits." },
  resume: { title: "Resume", said: "Resumed", explains: "It goes on at once, with what has waited." },
  enable: { title: "Enable", said: "Enabled", explains: "It goes on at once, with what has waited. Dead deliveries in a row are counted anew." },
  disable: { title: "Disable", said: "Disabled", explains: "No push of it starts any more once this is confirmed. What is for it is kept until somebody enables it." },
};

function StatusQuestion({ of, close, done }: Question<"status">) {
  const [reason, setReason] = useState("");
  const { problem, busy, send } = useSending(done);
  const { title, said, explains } = statusActs[of.verb];
  const stops = of.verb === "pause" || of.verb === "disable";
  const body = stops ? { reason: reason.trim() } : {};
  const go = () => send(`${path`/v1/subscriptions/${of.of.id}`}/${of.verb}`, body, `${said} ${of.of.name}.`);
  return (
    <Confirm title={`${title} ${of.of.name}?`} verb={title} danger={stops} off={stops && !reason.trim()}
             {...{ busy, problem, close, go }}>
      <p>{explains}</p>
      {stops ? (
        <label>
          Reason
          <input type="text" value={reason} maxLength={500} required autoFocus
                 onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
      ) : null}
    </Confirm>
  );
}

function TestQuestion({ of, close, done }: Question<"test">) {
  const { problem, busy, send } = useSending(done);
  const go = () => send(path`/v1/subscriptions/${of.of.id}/test`, {}, `Published a test event for ${of.of.name}.`);
  return (
    <Confirm title={`Send ${of.of.name} a test event?`} verb="Send" {...{ busy, problem, close, go }}>
      <p>
        An event of the type sluice.test is published for this subscription alone, and delivered as any other.
        {of.of.status === "active" ? "" : ` It waits: the subscription is ${of.of.status}.`}
      </p>
    </Confirm>
  );
}

function PushAgainQuestion({ of, close, done }: Question<"push again">) {
  const { problem, busy, send } = useSending(done);
  const { push } = of;
  const name = `event ${shortId(push.event)}`;
  const go = () => send(path`/v1/subscriptions/${of.of.id}/deliveries/${push.event}/retry`, {}, `Pending again: ${name}.`);
  return (
    <Confirm title={`Retry ${name}?`} verb="Retry" {...{ busy, problem, close, go }}>
      <p>
        {push.state === "delivered" ? "It was delivered: its receiver gets it again. " : ""}
        It is due at once, under the same webhook-id. Its attempts go on counting, and it has all its retries again.
      </p>
    </Confirm>
  );
}

const typingPause = 300;

/** How many deliveries the window has, counted again whenever it is changed; null until that is known. */
function useCount(subscription: string, window: Window) {
  const [counted, setCounted] = useState<{ of: string; deliveries: number } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const asked = askedOf(window);
  const key = JSON.stringify(asked);
  useEffect(() => {
    setProblem(null);
    if (asked === null) return;
    let over = false;
    const ask = () =>
      api.post<{ count: number }>(path`/v1/subscriptions/${subscription}/replays`, { ...asked, count_only: true }).then(
        (answer) => over || setCounted({ of: key, deliveries: answer.count }),
        (error: unknown) => over || setProblem(problemOf(error)),
      );
    const timer = setTimeout(ask, typingPause);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [subscription, key]);
  return { asked, deliveries: counted?.of === key ? counted.deliveries : null, problem };
}

function States(props: { chosen: PushState[]; choose: (states: PushState[]) => void }) {
  const turn = (state: PushState) =>
    props.choose(replayStates.filter((each) => (each === state) !== props.chosen.includes(each)));
  return (
    <fieldset class="ticks">
      <legend>Deliveries that are</legend>
      {replayStates.map((state) => (
        <label class="tick" key={state}>
          <input type="checkbox" checked={props.chosen.includes(state)} onChange={() => turn(state)} />
          {words(state)}
        </label>
      ))}
    </fieldset>
  );
}

const day = 86_400_000;

function ReplayQuestion({ of, close, done }: Question<"replay">) {
  const [window, setWindow] = useState<Window>({ from: typedTime(Date.parse(of.now) - day), to: "", states: ["failed", "dead"] });
  const { asked, deliveries, problem: uncounted } = useCount(of.of.id, window);
  const { problem, busy, send } = useSending(done);
  const change = (part: Partial<Window>) => setWindow((was) => ({ ...was, ...part }));
  const go = () => {
    if (asked === null) return;
    void send<Replay>(path`/v1/subscriptions/${of.of.id}/replays`, asked,
                      (begun) => `Started a replay of ${plural(begun.counted, "delivery", "deliveries")}.`);
  };
  const said = asked === null ? "A replay needs a beginning and a state." : uncounted ? "" : "Counting…";
  return (
    <Confirm title={`Replay deliveries of ${of.of.name}?`} verb={deliveries ? `Replay ${count(deliveries)}` : "Replay"}
             off={!deliveries} busy={busy} problem={problem ?? uncounted} close={close} go={go}>
      <p>Its receiver gets them again, each under the same webhook-id.</p>
      <label>
        From (UTC), by the time the event occurred
        <input type="datetime-local" value={window.from} required onInput={(event) => change({ from: event.currentTarget.value })} />
      </label>
      <label>
        To (UTC); empty: now
        <input type="datetime-local" value={window.to} onInput={(event) => change({ to: event.currentTarget.value })} />
      </label>
      <States chosen={window.states} choose={(states) => change({ states })} />
      <p role="status">
        {deliveries === null ? said : deliveries === 0 ? "There is no such delivery in this window." : (
          <><strong>{plural(deliveries, "delivery", "deliveries")}</strong> will be pending again.</>
        )}
      </p>
    </Confirm>
  );
}

function CancelQuestion({ of, close, done }: Question<"cancel">) {
  const { problem, busy, send } = useSending(done);
  const go = () => send(path`/v1/subscriptions/${of.of.id}/replays/${of.replay.id}/cancel`, {}, `Cancelled the replay of ${of.of.name}.`);
  return (
    <Confirm title={`Cancel the replay of ${of.of.name}?`} verb="Cancel the replay" danger {...{ busy, problem, close, go }}>
      <p>It goes no further. What it has made pending again stays so, and is delivered.</p>
    </Confirm>
  );
}

export function SubscriptionQuestion(props: Answering & { of: SubscriptionAct }) {
  const { of, ...rest } = props;
  switch (of.act) {
    case "status":
      return <StatusQuestion of={of} {...rest} />;
    case "test":
      return <TestQuestion of={of} {...rest} />;
    case "push again":
      return <PushAgainQuestion of={of} {...rest} />;
    case "replay":
      return <ReplayQuestion of={of} {...rest} />;
    case "cancel":
      return <CancelQuestion of={of} {...rest} />;
  }
}
