import type { Asking } from "./acts";
import { shortId, words } from "./format";
import { moving, useDocument } from "./load";
import type { Notification, NotificationList } from "./notification_documents";
import { deliveryOf, moodOfNotification, notificationStates, storyOf, type Surroundings } from "./notification_words";
import { Filters, Pages } from "./listing";
import { Link, State, Time, Trouble } from "./parts";

const shown = 25;

/** Taken, and arrived: two things, each by its own word. */
export function Apart(props: { of: Notification }) {
  const { of } = props;
  const became = deliveryOf(of);
  return (
    <span class="apart">
      <span class="apart-part"><span class="quiet">submission </span><State of={of.state} /></span>
      <span class="apart-part"><span class="quiet">delivery </span><State of={became} /></span>
    </span>
  );
}

export function Told(props: { of: Notification; around: Surroundings }) {
  const { why, act } = storyOf(props.of, props.around);
  return (
    <>
      <p class="line">{why}</p>
      {act ? <p class="line quiet">{act}</p> : null}
    </>
  );
}

function Row(props: { of: Notification; around: Surroundings }) {
  const { of, around } = props;
  return (
    <article class={`card card-${moodOfNotification(of)}`}>
      <div class="card-head">
        <h2 class="mono"><Link to={{ page: "notification", notification: of.id }}>{shortId(of.id)}</Link></h2>
        <Apart of={of} />
        <span class="quiet card-aside">{of.tenant} · <Time at={of.created_at} now={around.now} /></span>
      </div>
      <Told of={of} around={around} />
    </article>
  );
}

function Nothing(props: { state: string; paged: boolean }) {
  if (props.state || props.paged) return <p class="notice" role="status">There is none{props.state ? ` that is ${words(props.state)}` : ""}.</p>;
  return (
    <p class="notice" role="status">
      Nothing was sent to anybody yet. “sluice notifications send” sends one, once there are a profile, a route and a contact point.
    </p>
  );
}

/** The newest, of a state or to a contact point. */
export function Notifications(props: { state: string; contact: string; before: string; around: Surroundings }) {
  const { state, contact, before, around } = props;
  const asked = new URLSearchParams({
    limit: String(shown), ...(state ? { state } : {}), ...(contact ? { contact } : {}), ...(before ? { before } : {}),
  });
  const { document, problem } = useDocument<NotificationList>(`/v1/notifications?${asked}`, moving);
  const at = { page: "notifications" as const, state, contact };
  return (
    <>
      <Trouble problem={problem} />
      {document?.notifications.length === 0 ? <Nothing state={state} paged={Boolean(before || contact)} /> : null}
      {document?.notifications.map((each) => <Row key={each.id} of={each} around={around} />)}
      <Pages first={before ? { ...at, before: "" } : null} firstIs="Newest"
             next={document?.next_before ? { ...at, before: String(document.next_before) } : null} nextIs="Older" />
    </>
  );
}

export function NotificationsPage(props: Asking & { state: string; contact: string; before: string; around: Surroundings }) {
  const { state, contact } = props;
  return (
    <>
      <div class="page-head">
        <h1>Notifications</h1>
        {contact ? <span class="quiet">to <Link to={{ page: "contact", contact }}>contact point {shortId(contact)}</Link></span> : null}
      </div>
      <Filters label="States" chosen={state} choices={notificationStates}
               to={(chosen) => ({ page: "notifications", state: chosen, contact, before: "" })} />
      <Notifications key={`${state} ${contact} ${props.before}`} {...props} />
    </>
  );
}
