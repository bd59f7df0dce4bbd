import type { Asking } from "./acts";
import { api } from "./api";
import type { Backfill, Card, Rule, Stop } from "./documents";
import { count, moment, percent, plural, progressText } from "./format";
import { useProgress } from "./load";
import { Ids, Link, State, Time, Where } from "./parts";

/** What each card needs beside what it shows. */
export interface Shown extends Asking {
  now: string;
}

export function StopLine(props: { stop: Stop; now: string }) {
  const { stop } = props;
  return (
    <p class="line">
      {stop.reason ? <q>{stop.reason}</q> : "No reason given"}
      <span class="quiet">
        {" · "}
        {stop.set_by ? `${stop.set_by}, ` : ""}
        <Time at={stop.set_at} now={props.now} />
      </span>
    </p>
  );
}

export function HoldLine(props: { hold: Stop; now: string }) {
  const finding = props.hold.finding;
  return (
    <p class="line">
      {finding
        ? `${plural(finding.pending, "withdrawal")} wait. The limit is ${count(finding.threshold)}; the target holds ${plural(finding.known, "record")}.`
        : "Withdrawals wait."}
      <span class="quiet">
        {" · "}
        <Time at={props.hold.set_at} now={props.now} />
      </span>
    </p>
  );
}

function Route(props: { rule: Rule; hosts: "both" | "source" }) {
  const { source, target } = props.rule;
  return (
    <p class="route">
      <Where of={source} /> <span aria-hidden="true">→</span><span class="unseen">into</span>{" "}
      {props.hosts === "both" ? <Where of={target} /> : <span class="place">{target.name}</span>}
    </p>
  );
}

export function HoldButtons(props: Asking & { hold: Stop; rule: string }) {
  if (!api.mayAct) return null;
  const of = { hold: props.hold, rule: props.rule };
  return (
    <>
      <button type="button" onClick={() => props.begin({ act: "release", ...of })}>Release…</button>
      <button type="button" onClick={() => props.begin({ act: "discard", ...of })}>Discard…</button>
    </>
  );
}

function RuleTitle(props: { rule: Rule }) {
  return (
    <h4>
      <Link to={{ page: "rule", rule: props.rule.name, status: "" }}>{props.rule.name}</Link>
    </h4>
  );
}

function RuleIds(props: { rule: Rule }) {
  const { rule } = props;
  return <Ids tenant={rule.source.tenant} rule={rule.id} source={rule.source} target={rule.target} />;
}

export function StopCard(props: Shown & { card: Card & { stop: Stop } }) {
  const { card, now, begin } = props;
  const rule = card.rules[0];
  const what = card.connection?.name ?? rule?.name ?? "";
  return (
    <article class="card card-stopped">
      <div class="card-head">
        {card.connection ? <h4>{card.connection.name}</h4> : rule ? <RuleTitle rule={rule} /> : null}
        <span class="quiet">{card.connection ? "connection" : "rule"}</span>
        {api.mayAct ? (
          <div class="acts">
            <button type="button" onClick={() => begin({ act: "resume", stop: card.stop, what })}>Resume…</button>
          </div>
        ) : null}
      </div>
      <StopLine stop={card.stop} now={now} />
      {card.connection ? (
        <>
          <p class="route"><Where of={card.connection} /></p>
          <ul class="stopped-rules">
            {card.rules.map((each) => (
              <li key={each.id}>
                <Link to={{ page: "rule", rule: each.name, status: "" }}>{each.name}</Link>{" "}
                <span class="quiet">from <Where of={each.source} /></span>
                {each.hold ? <State of="held" /> : null}
              </li>
            ))}
          </ul>
          {card.rules.length === 0 ? <p class="line quiet">No rule delivers into it.</p> : null}
          <Ids tenant={card.connection.tenant} target={card.connection} />
        </>
      ) : rule ? (
        <>
          <Route rule={rule} hosts="both" />
          {rule.hold ? <HoldLine hold={rule.hold} now={now} /> : null}
          <RuleIds rule={rule} />
        </>
      ) : null}
    </article>
  );
}

export function HoldCard(props: Shown & { rule: Rule; hold: Stop }) {
  const { rule, hold } = props;
  return (
    <article class="card card-held">
      <div class="card-head">
        <RuleTitle rule={rule} />
        <div class="acts"><HoldButtons hold={hold} rule={rule.name} begin={props.begin} /></div>
      </div>
      <HoldLine hold={hold} now={props.now} />
      <Route rule={rule} hosts="both" />
      <RuleIds rule={rule} />
    </article>
  );
}

export function UnwellCard(props: Shown & { rule: Rule }) {
  const { rule, now } = props;
  const told = rule.state === "throttled" && rule.blocked_until ? rule.blocked_until : rule.since;
  return (
    <article class={`card card-${rule.state}`}>
      <div class="card-head">
        <RuleTitle rule={rule} />
        <State of={rule.state} />
        {api.mayAct ? (
          <div class="acts">
            <button type="button" onClick={() => props.begin({ act: "stop", scope: "rule", name: rule.name })}>Stop…</button>
          </div>
        ) : null}
      </div>
      <p class="line">
        {rule.sentence}
        {told ? <span class="quiet">{" · "}<Time at={told} now={now} /></span> : null}
      </p>
      <Route rule={rule} hosts="source" />
      <RuleIds rule={rule} />
    </article>
  );
}

/** A rule there is nothing to say about. */
export function RuleRow(props: { rule: Rule }) {
  const { rule } = props;
  return (
    <article class="row">
      <RuleTitle rule={rule} />
      <State of={rule.state === "ok" && !rule.route_open ? "route_closed" : rule.state} />
      <Route rule={rule} hosts="both" />
    </article>
  );
}

export function BackfillCard(props: Shown & { backfill: Backfill }) {
  const { backfill, begin } = props;
  const progress = useProgress(backfill.name, backfill.until, backfill.progress);
  const label = `Backfill of ${backfill.name}`;
  return (
    <article class="card card-backfill">
      <div class="card-head">
        <RuleTitle rule={backfill} />
        {backfill.state === "ok" || backfill.state === "none" ? null : <State of={backfill.state} />}
        {api.mayAct ? (
          <div class="acts">
            <button type="button" onClick={() => begin({ act: "abort", rule: backfill.name })}>Abort…</button>
          </div>
        ) : null}
      </div>
      {progress ? (
        <>
          <progress aria-label={label} max={100} value={percent(progress.passed, progress.total)} />
          <p class="line">{progressText(progress.passed, progress.total)} <span class="quiet">· started {moment(backfill.until)}</span></p>
        </>
      ) : (
        <>
          <progress aria-label={label} />
          <p class="line">Counting… <span class="quiet">· started {moment(backfill.until)}</span></p>
        </>
      )}
      {backfill.route_open ? null : <p class="line">Paused: the route is closed.</p>}
      <RuleIds rule={backfill} />
    </article>
  );
}
