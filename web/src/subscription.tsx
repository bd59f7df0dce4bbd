import type { ComponentChildren } from "preact";
import type { Asking } from "./acts";
import { api, path } from "./api";
import type { PushList, Subscription } from "./documents";
import { count, shortId, words } from "./format";
import { moving, useDocument } from "./load";
import { Facts, Id, Link, State, Time, Trouble } from "./parts";
import { Next } from "./push";
import { Replays } from "./replays";
import { pushStates } from "./subscription_words";
import { Cause, moodOf, Receiver } from "./subscriptions";

const pushesShown = 50;

function Acts(props: Asking & { of: Subscription }) {
  const { of, begin } = props;
  if (!api.mayAct) return null;
  const status = (verb: "pause" | "resume" | "enable" | "disable") => begin({ act: "status", verb, of });
  return (
    <div class="acts">
      <button type="button" onClick={() => begin({ act: "test", of })}>Test event…</button>
      {of.status === "active" ? <button type="button" onClick={() => status("pause")}>Pause…</button> : null}
      {of.status === "paused" ? <button type="button" onClick={() => status("resume")}>Resume…</button> : null}
      {of.status === "disabled" ? (
        <button type="button" onClick={() => status("enable")}>Enable…</button>
      ) : (
        <button type="button" onClick={() => status("disable")}>Disable…</button>
      )}
    </div>
  );
}

function Settings(props: { of: Subscription; now: string }) {
  const { of, now } = props;
  const rows: [string, ComponentChildren][] = [
    ["goes by", <Receiver of={of} />],
    ["URL", of.url],
    ["events", of.event_types.join(", ")],
    ["only those where", of.filter ? <code>{JSON.stringify(of.filter)}</code> : ""],
    ["one at a time by", of.ordered_by],
    ["access", of.access_accepted ? "" : "not accepted: its events fail"],
    ["dead in a row", of.mode === "push" ? count(of.consecutive_dead) : ""],
    ["cursor", of.cursor === null ? "" : `${count(of.cursor)}, read up to ${count(of.offered ?? of.cursor)}`],
    ["made", <Time at={of.created_at} now={now} />],
    ["changed", <Time at={of.updated_at} now={now} />],
    ["id", <Id of={of.id} what="subscription" whole />],
  ];
  return <Facts rows={rows} />;
}

function Headers(props: { of: Subscription }) {
  const { headers } = props.of;
  if (headers.length === 0) return null;
  return (
    <section aria-labelledby="headers-title">
      <h2 id="headers-title">Headers</h2>
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="headers-title">
        <table>
          <thead>
            <tr><th scope="col">name</th><th scope="col">value</th></tr>
          </thead>
          <tbody>
            {headers.map((each) => (
              <tr key={each.name}>
                <td class="mono">{each.name}</td>
                <td class="mono">{each.value}{each.secret ? <span class="quiet"> secret</span> : null}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Rows(props: { of: Subscription; list: PushList; label: string; now: string }) {
  const { of, list, now } = props;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.label}>
      <table>
        <thead>
          <tr><th scope="col">event</th><th scope="col">type</th><th scope="col">occurred</th><th scope="col">state</th><th scope="col" class="numeric">attempts</th><th scope="col">next</th><th scope="col">why</th></tr>
        </thead>
        <tbody>
          {list.deliveries.map((push) => (
            <tr key={push.event}>
              <td class="mono"><Link to={{ page: "push", subscription: of.id, event: push.event, before: "" }}>{shortId(push.event)}</Link></td>
              <td>{push.type}</td>
              <td><Time at={push.occurred_at} now={now} /></td>
              <td><State of={push.state} /></td>
              <td class="numeric">{push.attempts || ""}</td>
              <td><Next of={push} now={now} /></td>
              <td>{push.error ?? push.error_class}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Pushes(props: { of: Subscription; state: string; before: string; now: string }) {
  const { of, state, before, now } = props;
  const asked = new URLSearchParams({ limit: String(pushesShown), ...(state ? { state } : {}), ...(before ? { before } : {}) });
  const { document: list, problem } = useDocument<PushList>(`${path`/v1/subscriptions/${of.id}/deliveries`}?${asked}`, moving);
  const older = list?.next_before ?? null;
  const at = { page: "subscription" as const, subscription: of.id, state };
  return (
    <>
      <Trouble problem={problem} />
      {list && list.deliveries.length > 0 ? (
        <Rows of={of} list={list} now={now} label={state ? `Deliveries that are ${words(state)}` : "All deliveries"} />
      ) : list ? (
        <p class="line quiet">There is none{state ? " in this state" : ""}.</p>
      ) : null}
      {before || older !== null ? (
        <p class="pages">
          {before ? <Link to={{ ...at, before: "" }}>Newest</Link> : null}
          {older !== null ? <Link to={{ ...at, before: String(older) }}>Older</Link> : null}
        </p>
      ) : null}
    </>
  );
}

function Deliveries(props: { of: Subscription; state: string; before: string; now: string }) {
  const { of, state, before, now } = props;
  return (
    <section aria-labelledby="deliveries-title">
      <h2 id="deliveries-title">Deliveries</h2>
      <ul class="statuses">
        {["", ...pushStates].map((each) => (
          <li key={each}>
            <Link to={{ page: "subscription", subscription: of.id, state: each, before: "" }} current={each === state}>
              {each ? words(each) : "all"}
            </Link>
          </li>
        ))}
      </ul>
      <Pushes key={`${state} ${before}`} of={of} state={state} before={before} now={now} />
    </section>
  );
}

export function SubscriptionView(props: Asking & { subscription: string; state: string; before: string; now: string }) {
  const { now, begin } = props;
  const { document: of, problem } = useDocument<Subscription>(path`/v1/subscriptions/${props.subscription}`, moving);
  return (
    <main>
      <p class="crumb quiet">
        <Link to={{ page: "subscriptions", status: "", after: "" }}>Subscriptions</Link>{of ? ` · ${of.tenant}` : ""}
      </p>
      <div class="page-head">
        <h1>{of?.name ?? "Subscription"}</h1>
        {of ? <State of={of.status} /> : null}
        {of ? <Acts of={of} begin={begin} /> : null}
      </div>
      <Trouble problem={problem} />
      {of ? (
        <>
          {of.status === "active" ? null : <div class={`card card-${moodOf(of)}`}><Cause of={of} /></div>}
          <Settings of={of} now={now} />
          <Headers of={of} />
          <Replays of={of} now={now} begin={begin} />
          <Deliveries of={of} state={props.state} before={props.before} now={now} />
        </>
      ) : null}
    </main>
  );
}
