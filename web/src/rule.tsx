import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Asking } from "./acts";
import { api, path, problemOf, type Problem } from "./api";
import { HoldButtons, HoldLine, StopLine } from "./cards";
import type { BackfillPage, LedgerCounts, LedgerPage, LedgerRow, RulePage, Run } from "./documents";
import { count, moment, percent, progressText, span, statusOf, words } from "./format";
import { moving, useDocument } from "./load";
import { Facts, Ids, Link, Where, State, Time, Trouble } from "./parts";
import { Plots } from "./plots";
import { seriesOf, writes } from "./series";

const runsShown = 20;

function Stops(props: Asking & { rule: RulePage; now: string }) {
  const { rule, now, begin } = props;
  return (
    <>
      {rule.stops.map((stop) => {
        const what = stop.scope === "rule" ? `rule ${rule.name}` : stop.scope === "connection" ? rule.target.name : "all delivery";
        return (
          <article class="card card-stopped" key={stop.id}>
            <div class="card-head">
              <h2>{stop.scope === "rule" ? "Stopped" : `Stopped with ${what}`}</h2>
              {(stop.scope === "global" ? api.mayActOnAll : api.mayAct) ? (
                <div class="acts">
                  <button type="button" onClick={() => begin({ act: "resume", stop, what })}>Resume…</button>
                </div>
              ) : null}
            </div>
            <StopLine stop={stop} now={now} />
          </article>
        );
      })}
      {rule.hold ? (
        <article class="card card-held">
          <div class="card-head">
            <h2>Withdrawals are held</h2>
            <div class="acts"><HoldButtons hold={rule.hold} rule={rule.name} begin={begin} /></div>
          </div>
          <HoldLine hold={rule.hold} now={now} />
        </article>
      ) : null}
    </>
  );
}

function RuleFacts(props: { rule: RulePage; now: string }) {
  const { rule, now } = props;
  const { cursor } = rule;
  const rows: [string, ComponentChildren][] = [
    ["delivers", <>{rule.domain} from <Where of={rule.source} /> into <Where of={rule.target} /></>],
    ["updates", words(rule.update_mode)],
    ["deletions", rule.delete_policy === "ignore" ? "are ignored" : words(rule.delete_policy)],
    ["waits for", rule.anchor_domain],
    ["route", !rule.active ? "switched off" : rule.route_open ? "open" : "closed: a connection is not active"],
    ["last completed", rule.completed_at ? <Time at={rule.completed_at} now={now} /> : "never"],
    ["cursor", cursor ? moment(cursor.delta_at) : "none yet"],
    ["first active", cursor ? moment(cursor.activated_at) : ""],
    ["target holds", `${count(rule.known_records)} records`],
    ["revision", String(rule.revision)],
  ];
  return <Facts rows={rows} />;
}

function Backfill(props: Asking & { rule: RulePage; page: BackfillPage | null }) {
  const { rule, page, begin } = props;
  const progress = page?.progress;
  const mayStart = rule.anchor_domain === "" && rule.cursor !== null && progress === null;
  if (!page) return null;
  return (
    <section aria-labelledby="backfill-title">
      <div class="section-head">
        <h2 id="backfill-title">Backfill</h2>
        {api.mayAct && mayStart ? (
          <button type="button" onClick={() => begin({ act: "backfill", rule: rule.name })}>Start…</button>
        ) : null}
        {api.mayAct && progress ? (
          <button type="button" onClick={() => begin({ act: "abort", rule: rule.name })}>Abort…</button>
        ) : null}
      </div>
      {progress ? (
        <>
          <progress aria-label={`Backfill of ${rule.name}`} max={100} value={percent(progress.passed, progress.total)} />
          <p class="line">
            {progressText(progress.passed, progress.total)} <span class="quiet">· started {moment(progress.until)}</span>
          </p>
          {page.confirmation ? (
            <p class="line quiet">
              {page.confirmation.confirmed_by} confirmed {count(page.confirmation.creates)} creates, {moment(page.confirmation.confirmed_at)}
            </p>
          ) : null}
        </>
      ) : (
        <p class="line quiet">None in progress{rule.anchor_domain ? "; a rule whose records wait for others has none" : ""}.</p>
      )}
    </section>
  );
}

function Rows(props: { rule: string; status: string; now: string }) {
  const first = useDocument<LedgerPage>(`${path`/v1/rules/${props.rule}/ledger`}?limit=50&status=${props.status}`);
  const [more, setMore] = useState<{ rows: LedgerRow[]; next: string | null } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const next = more ? more.next : (first.document?.next_after ?? null);
  const read = async () => {
    try {
      const page = await api.get<LedgerPage>(
        `${path`/v1/rules/${props.rule}/ledger`}?limit=50&status=${props.status}&after=${encodeURIComponent(next ?? "")}`);
      setMore((was) => ({ rows: [...(was?.rows ?? []), ...page.rows], next: page.next_after }));
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const rows = [...(first.document?.rows ?? []), ...(more?.rows ?? [])];
  return (
    <>
      <Trouble problem={problem ?? first.problem} />
      <div class="scroll" tabIndex={0} role="region" aria-label={`Records that are ${words(props.status)}`}>
        <table>
          <thead>
            <tr><th scope="col">record</th><th scope="col">id at the target</th><th scope="col" class="numeric">attempts</th><th scope="col">next</th><th scope="col">why</th></tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.source_id}>
                <td><Link to={{ page: "record", rule: props.rule, sourceId: row.source_id }}>{row.source_id}</Link></td>
                <td class="mono">{row.remote_id}</td>
                <td class="numeric">{row.attempts || ""}</td>
                <td>{row.next_attempt_at ? <Time at={row.next_attempt_at} now={props.now} /> : ""}</td>
                <td>{row.error || row.error_class}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {next ? <button type="button" onClick={read}>More</button> : null}
    </>
  );
}

function Ledger(props: { rule: string; counts: LedgerCounts | null; status: string; now: string }) {
  if (!props.counts) return null;
  const { counts, total } = props.counts;
  return (
    <section aria-labelledby="ledger-title">
      <h2 id="ledger-title">Ledger <span class="number">{count(total)}</span></h2>
      {total === 0 ? <p class="line quiet">Nothing was delivered yet.</p> : null}
      <ul class="statuses">
        {Object.entries(counts).map(([status, rows]) => (
          <li key={status}>
            <Link to={{ page: "rule", rule: props.rule, status: status === props.status ? "" : status }} current={status === props.status}>
              <span class="status-count">{count(rows)}</span> {words(status)}
            </Link>
          </li>
        ))}
      </ul>
      {props.status ? <Rows key={props.status} rule={props.rule} status={props.status} now={props.now} /> : null}
    </section>
  );
}

function Runs(props: { runs: Run[]; now: string }) {
  if (props.runs.length === 0) return null;
  return (
    <section aria-labelledby="runs-title">
      <h2 id="runs-title">Runs</h2>
      <Plots series={seriesOf(props.runs)} />
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="runs-title">
        <table>
          <thead>
            <tr><th scope="col">began</th><th scope="col">took</th><th scope="col">ended</th><th scope="col" class="numeric">written</th><th scope="col" class="numeric">suppressed</th><th scope="col" class="numeric">failed</th><th scope="col">why</th></tr>
          </thead>
          <tbody>
            {props.runs.slice(0, runsShown).map((run) => (
              <tr key={run.id}>
                <td><Time at={run.started_at} now={props.now} /></td>
                <td>{run.ended_at ? span(Date.parse(run.ended_at) - Date.parse(run.started_at)) : ""}</td>
                <td><span class={`ending ending-${run.state}`}>{words(run.state)}</span></td>
                <td class="numeric">{count(writes(run))}</td>
                <td class="numeric">{count(run.counts["suppressed"] ?? 0)}</td>
                <td class="numeric">{count((run.counts["failed"] ?? 0) + (run.counts["refused"] ?? 0))}</td>
                <td>{run.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function RuleView(props: Asking & { rule: string; status: string; now: string }) {
  const at = path`/v1/rules/${props.rule}`;
  const page = useDocument<RulePage>(`${at}/page`, moving);
  const counts = useDocument<LedgerCounts>(`${at}/ledger/counts`, moving);
  const runs = useDocument<{ runs: Run[] }>(`${at}/runs?limit=200`, moving);
  const backfill = useDocument<BackfillPage>(`${at}/backfill`, moving);
  const rule = page.document;
  return (
    <main>
      {rule ? <p class="crumb quiet">{rule.source.tenant.name}</p> : null}
      <div class="page-head">
        <h1>{props.rule}</h1>
        {rule ? <State of={statusOf(rule)} /> : null}
        {rule && api.mayAct && !rule.stops.some((stop) => stop.scope === "rule") ? (
          <button type="button" onClick={() => props.begin({ act: "stop", scope: "rule", name: rule.name })}>Stop…</button>
        ) : null}
      </div>
      <Trouble problem={page.problem} />
      {rule ? (
        <>
          {rule.sentence ? <p class={`card card-${rule.state} line`}>{rule.sentence}</p> : null}
          <Stops rule={rule} now={props.now} begin={props.begin} />
          <RuleFacts rule={rule} now={props.now} />
          <Ids tenant={rule.source.tenant} rule={rule.id} source={rule.source} target={rule.target} />
          <Backfill rule={rule} page={backfill.document} begin={props.begin} />
          <Ledger rule={rule.name} counts={counts.document} status={props.status} now={props.now} />
          <Runs runs={runs.document?.runs ?? []} now={props.now} />
        </>
      ) : null}
    </main>
  );
}
