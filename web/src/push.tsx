import type { ComponentChildren } from "preact";
import type { Asking } from "./acts";
import { api, path } from "./api";
import type { Attempt, Push, Subscription } from "./documents";
import { count, duration, moment, words } from "./format";
import { moving, useDocument } from "./load";
import { Facts, Id, Link, State, Time, Trouble } from "./parts";
import { attemptsFrom, mayPushAgain, nextOf } from "./subscription_words";

/** When it is tried next; nothing where it is not. */
export function Next(props: { of: Push; now: string }) {
  const next = nextOf(props.of, props.now);
  return "at" in next ? <Time at={next.at} now={props.now} /> : <>{next.said}</>;
}

function PushFacts(props: { push: Push; now: string }) {
  const { push, now } = props;
  const rows: [string, ComponentChildren][] = [
    ["type", push.type],
    ["occurred", moment(push.occurred_at)],
    ["position", count(push.position)],
    ["waits behind those of", push.ordering_key],
    ["attempts", count(push.attempts)],
    ["next attempt", push.in_flight || push.due_at ? <Next of={push} now={now} /> : ""],
    ["error", push.error ?? push.error_class],
    ["changed", <Time at={push.updated_at} now={now} />],
    ["id", <Id of={push.event} what="event" whole />],
  ];
  return <Facts rows={rows} />;
}

/** What the receiver said, as the text it is. */
function Answer(props: { of: Attempt }) {
  const { number, answer, answer_cut } = props.of;
  if (!answer) return <p class="line quiet">No body came with it.</p>;
  return (
    <>
      <pre class="answer" tabIndex={0} role="region" aria-label={`Answer to attempt ${number}`}>{answer}</pre>
      {answer_cut ? <p class="line quiet">This is its beginning; the rest was not kept.</p> : null}
    </>
  );
}

function AttemptCard(props: { of: Attempt; now: string }) {
  const { of, now } = props;
  const acknowledged = of.ending === "acknowledged";
  return (
    <article class={`card card-${acknowledged || !of.ending ? "calm" : "failing"}`}>
      <div class="card-head">
        <h3>Attempt {of.number}</h3>
        <span class={`ending ending-${of.ending ?? "open"}`}>{of.ending ? words(of.ending) : "on its way"}</span>
        {of.status === null ? null : <span>status {of.status}</span>}
        <span class="quiet">
          <Time at={of.started_at} now={now} />{of.ended_at ? `, took ${duration(of.took_us)}` : ""}
        </span>
      </div>
      {of.error || of.error_class ? <p class="line">{of.error ?? of.error_class}</p> : null}
      {of.status === null ? null : <Answer of={of} />}
    </article>
  );
}

function Attempts(props: { subscription: string; push: Push; before: string; now: string }) {
  const { subscription, push, before, now } = props;
  const { after, limit } = attemptsFrom(push.attempts, before);
  const { document, problem } = useDocument<{ attempts: Attempt[] }>(
    `${path`/v1/subscriptions/${subscription}/deliveries/${push.event}/attempts`}?after=${after}&limit=${limit}`, moving);
  const at = { page: "push" as const, subscription, event: push.event };
  const attempts = document?.attempts ?? [];
  return (
    <section aria-labelledby="attempts-title">
      <h2 id="attempts-title">Attempts <span class="number">{count(push.attempts)}</span></h2>
      <Trouble problem={problem} />
      {document && attempts.length === 0 ? <p class="line quiet">It was not pushed yet.</p> : null}
      {[...attempts].reverse().map((each) => <AttemptCard key={each.number} of={each} now={now} />)}
      {before || after > 0 ? (
        <p class="pages">
          {before ? <Link to={{ ...at, before: "" }}>Latest</Link> : null}
          {after > 0 ? <Link to={{ ...at, before: String(after + 1) }}>Earlier</Link> : null}
        </p>
      ) : null}
    </section>
  );
}

/** One event for one subscription: what became of it, and each try with what was answered. */
export function PushView(props: Asking & { subscription: string; event: string; before: string; now: string }) {
  const { now, begin } = props;
  const at = path`/v1/subscriptions/${props.subscription}`;
  const of = useDocument<Subscription>(at, moving).document;
  const { document: push, problem } = useDocument<Push>(at + path`/deliveries/${props.event}`, moving);
  return (
    <main>
      <p class="crumb">
        <Link to={{ page: "subscription", subscription: props.subscription, state: "", before: "" }}>{of?.name ?? "Subscription"}</Link>
      </p>
      <div class="page-head">
        <h1 class="mono">{props.event}</h1>
        {push ? <State of={push.state} /> : null}
        {of && push && api.mayAct && mayPushAgain(push, of) ? (
          <button type="button" onClick={() => begin({ act: "push again", of, push })}>Retry…</button>
        ) : null}
      </div>
      <Trouble problem={problem} />
      {push ? (
        <>
          <PushFacts push={push} now={now} />
          <Attempts subscription={props.subscription} push={push} before={props.before} now={now} />
        </>
      ) : null}
    </main>
  );
}
