import type { Subscription, SubscriptionList, SubscriptionStatus } from "./documents";
import { plural, words } from "./format";
import { moving, useDocument } from "./load";
import { Link, State, Trouble } from "./parts";
import { causeOf, hostOf } from "./subscription_words";

const statuses: SubscriptionStatus[] = ["active", "paused", "disabled"];

/** Where its events go. */
export function Receiver(props: { of: Subscription }) {
  const { of } = props;
  return <>{of.mode === "pull" ? "pull: its owner reads" : `push to ${hostOf(of.url ?? "")}`}</>;
}

/** Why it delivers nothing, and what was said about it. */
export function Cause(props: { of: Subscription }) {
  const { of } = props;
  if (of.status === "active") return null;
  const { sentence, quote } = causeOf(of);
  return <p class="line">{sentence} {quote ? <q>{quote}</q> : null}</p>;
}

export function moodOf(of: Subscription): string {
  if (of.status === "paused") return "stopped";
  if (of.status === "disabled") return "failing";
  return of.consecutive_dead > 0 ? "held" : "calm";
}

function Row(props: { of: Subscription }) {
  const { of } = props;
  return (
    <article class={`card card-${moodOf(of)}`}>
      <div class="card-head">
        <h2><Link to={{ page: "subscription", subscription: of.id, state: "", before: "" }}>{of.name}</Link></h2>
        <State of={of.status} />
      </div>
      <p class="line quiet"><Receiver of={of} /> · {of.tenant}</p>
      <Cause of={of} />
      {of.consecutive_dead > 0 ? <p class="line">{plural(of.consecutive_dead, "dead delivery", "dead deliveries")} in a row.</p> : null}
    </article>
  );
}

export function SubscriptionsPage(props: { status: string; after: string }) {
  const { status, after } = props;
  const asked = new URLSearchParams({ ...(status ? { status } : {}), ...(after ? { after } : {}) });
  const { document, problem } = useDocument<SubscriptionList>(`/v1/subscriptions?${asked}`, moving);
  const next = document?.next_after ?? null;
  return (
    <main>
      <div class="page-head"><h1>Subscriptions</h1></div>
      <ul class="statuses">
        {["", ...statuses].map((each) => (
          <li key={each}>
            <Link to={{ page: "subscriptions", status: each, after: "" }} current={each === status}>{each ? words(each) : "all"}</Link>
          </li>
        ))}
      </ul>
      <Trouble problem={problem} />
      {document?.subscriptions.length === 0 ? (
        <p class="notice" role="status">{status || after ? "There is no such subscription." : "There is none yet. “sluice subscriptions create” makes one."}</p>
      ) : null}
      {document?.subscriptions.map((each) => <Row key={each.id} of={each} />)}
      {after || next !== null ? (
        <p class="pages">
          {after ? <Link to={{ page: "subscriptions", status, after: "" }}>First page</Link> : null}
          {next !== null ? <Link to={{ page: "subscriptions", status, after: String(next) }}>Next page</Link> : null}
        </p>
      ) : null}
    </main>
  );
}
