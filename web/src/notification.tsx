import type { ComponentChildren } from "preact";
import type { Asking } from "./acts";
import { api, path } from "./api";
import { kindText } from "./contact_words";
import { count, moment, words } from "./format";
import { moving, useDocument } from "./load";
import type { Contact, NotificationHistory, Submission } from "./notification_documents";
import { actsOn, attemptStory, deliveryOf, moodOfNotification, type Surroundings } from "./notification_words";
import { Told } from "./notifications";
import { Facts, Id, Link, State, Time, Trouble } from "./parts";

function Acts(props: Asking & { of: NotificationHistory }) {
  const { of, begin } = props;
  const may = actsOn(of);
  if (!api.mayAct || !(may.settle || may.cancel)) return null;
  return (
    <div class="acts">
      {may.settle ? (
        <>
          <button type="button" onClick={() => begin({ act: "settle", outcome: "accepted", of })}>It was accepted…</button>
          <button type="button" onClick={() => begin({ act: "settle", outcome: "not-sent", of })}>It was not sent…</button>
        </>
      ) : null}
      {may.cancel ? <button type="button" onClick={() => begin({ act: "withdraw", of })}>Cancel…</button> : null}
    </div>
  );
}

/** What the provider took, and what it has told since: never one for the other. */
function Standing(props: { of: NotificationHistory; now: string }) {
  const { of, now } = props;
  const last = of.history.at(-1);
  return (
    <dl class="standing">
      <div>
        <dt>Submission</dt>
        <dd>
          <State of={of.state} />
          <span class="quiet">
            {last?.ended_at ? <>{last.profile ?? "a removed profile"}, <Time at={last.ended_at} now={now} /></> : "whether a provider took it"}
          </span>
        </dd>
      </div>
      <div>
        <dt>Delivery</dt>
        <dd>
          <State of={deliveryOf(of)} />
          <span class="quiet">
            {of.told ? <>the provider's word{of.told_at ? <>, <Time at={of.told_at} now={now} /></> : ""}</> : "what became of it, by the provider's word"}
          </span>
        </dd>
      </div>
    </dl>
  );
}

function Recipient(props: { contact: string }) {
  const of = useDocument<Contact>(path`/v1/contact-points/${props.contact}`, moving).document;
  const sealed = <span class="sealed">sealed</span>;
  return (
    <>
      <Link to={{ page: "contact", contact: props.contact }}>{of ? kindText(of.kind) : "Contact point"}</Link> {sealed}
      {of?.suppression ? <> <State of="not_reachable" /></> : null}
    </>
  );
}

function About(props: { of: NotificationHistory; now: string }) {
  const { of, now } = props;
  const turn = of.profile ?? "a profile that was removed";
  const rows: [string, ComponentChildren][] = [
    ["to", <Recipient contact={of.contact} />],
    ["profile", of.route_length > 1 ? `${turn}, ${of.place + 1} of ${of.route_length} in its route` : turn],
    ["attempts", count(of.attempts)],
    ["due", of.due_at ? <Time at={of.due_at} now={now} /> : ""],
    ["nobody wants it from", of.expires_at ? moment(of.expires_at) : ""],
    ["posted under the key", of.idempotency_key ?? ""],
    ["made", <Time at={of.created_at} now={now} />],
    ["changed", <Time at={of.updated_at} now={now} />],
    ["id", <Id of={of.id} what="notification" whole />],
  ];
  return <Facts rows={rows} />;
}

const moods: Record<Submission["state"], string> = {
  dispatching: "calm", accepted: "calm", rejected: "failing", retryable: "held", ambiguous: "failing",
};

function Attempt(props: { of: Submission; now: string }) {
  const { of, now } = props;
  return (
    <article class={`card card-${moods[of.state]}`}>
      <div class="card-head">
        <h3>Attempt {of.number}</h3>
        <span>{of.profile ?? "a profile that was removed"}</span>
        <State of={of.state} />
        <span class="quiet card-aside"><Time at={of.submitted_at} now={now} /></span>
      </div>
      <p class="line">{attemptStory(of)}</p>
      {of.told ? (
        <p class="line">Then the provider told: {words(of.told)}{of.told_at ? <span class="quiet"> · <Time at={of.told_at} now={now} /></span> : "."}</p>
      ) : null}
      <p class="line quiet">
        {of.provider_message_id ? <>known there as <span class="mono">{of.provider_message_id}</span>, </> : null}
        sent as <Id of={of.id} what="attempt" />
      </p>
    </article>
  );
}

/** One message to one person: where it is, why, and each try. */
export function NotificationView(props: Asking & { notification: string; around: Surroundings }) {
  const { around, begin } = props;
  const { document: of, problem } = useDocument<NotificationHistory>(path`/v1/notifications/${props.notification}`, moving);
  return (
    <>
      <p class="crumb quiet">
        <Link to={{ page: "notifications", state: "", contact: "", before: "" }}>Notifications</Link>{of ? ` · ${of.tenant}` : ""}
      </p>
      <div class="page-head">
        <h1 class="mono">{props.notification}</h1>
        {of ? <Acts of={of} begin={begin} /> : null}
      </div>
      <Trouble problem={problem} />
      {of ? (
        <>
          <Standing of={of} now={around.now} />
          <div class={`card card-${moodOfNotification(of)}`}><Told of={of} around={around} /></div>
          <About of={of} now={around.now} />
          <section aria-labelledby="attempts-title">
            <h2 id="attempts-title">Attempts <span class="number">{count(of.history.length)}</span></h2>
            {of.history.length === 0 ? <p class="line quiet">No attempt was made.</p> : null}
            {[...of.history].reverse().map((each) => <Attempt key={each.number} of={each} now={around.now} />)}
          </section>
        </>
      ) : null}
    </>
  );
}
