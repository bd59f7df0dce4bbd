import type { ComponentChildren } from "preact";
import type { Asking } from "./acts";
import { api, path } from "./api";
import type { Explanation, LedgerRow } from "./documents";
import { moment, words } from "./format";
import { moving, useDocument } from "./load";
import { Facts, Link, State, Time, Trouble } from "./parts";

function Row(props: { row: LedgerRow; now: string }) {
  const { row } = props;
  const facts: [string, ComponentChildren][] = [
    ["at the target", words(row.target_state)],
    ["id at the target", row.remote_id],
    ["delivered version", row.delivered_content_changed_at && moment(row.delivered_content_changed_at)],
    ["seen version", row.seen_content_changed_at && moment(row.seen_content_changed_at)],
    ["failed attempts", row.attempts ? String(row.attempts) : ""],
    ["error", row.error || row.error_class],
    ["next attempt", row.next_attempt_at && <Time at={row.next_attempt_at} now={props.now} />],
  ];
  return <Facts rows={facts} />;
}

/** What happened to the record, the latest last, as far as its ledger row and the mirror tell. */
function historyOf(record: Explanation): [string, string][] {
  const events: [string, string][] = [];
  const row = record.ledger;
  if (record.record) events.push([record.record.content_changed_at, record.record.deleted ? "deleted at its source" : "changed at its source"]);
  if (row?.delivered_content_changed_at && row.delivered_content_changed_at !== record.record?.content_changed_at)
    events.push([row.delivered_content_changed_at, "the version the target has"]);
  if (row?.updated_at) events.push([row.updated_at, `became ${words(row.status)}`]);
  if (row?.next_attempt_at) events.push([row.next_attempt_at, "is tried again"]);
  return events.sort(([a], [b]) => Date.parse(a) - Date.parse(b));
}

/** What a person may do about the row; nothing where it waits for nobody. */
function actOn(row: LedgerRow, now: string): "retry" | "reopen" | null {
  if (row.status === "exhausted" || row.status === "remote_gone") return "reopen";
  const waits = row.status === "failed" && row.next_attempt_at !== null;
  return waits && Date.parse(row.next_attempt_at ?? "") > Date.parse(now) ? "retry" : null;
}

export function RecordView(props: Asking & { rule: string; sourceId: string; now: string }) {
  const { document: record, problem } = useDocument<Explanation>(path`/v1/rules/${props.rule}/records/${props.sourceId}`, moving);
  const history = record ? historyOf(record) : [];
  const act = record?.ledger && api.mayAct ? actOn(record.ledger, props.now) : null;
  return (
    <main>
      <p class="crumb"><Link to={{ page: "rule", rule: props.rule, status: "" }}>{props.rule}</Link></p>
      <div class="page-head">
        <h1 class="mono">{props.sourceId}</h1>
        {record?.ledger ? <State of={record.ledger.status} /> : null}
        {act ? (
          <button type="button" onClick={() => props.begin({ act, rule: props.rule, sourceId: props.sourceId })}>
            {act === "retry" ? "Retry…" : "Reopen…"}
          </button>
        ) : null}
      </div>
      <Trouble problem={problem} />
      {record ? (
        <>
          <section aria-labelledby="why">
            <h2 id="why">Why it is where it is</h2>
            <ol class="sentences">{record.sentences.map((sentence) => <li key={sentence}>{sentence}</li>)}</ol>
          </section>
          {record.ledger ? (
            <section aria-labelledby="row">
              <h2 id="row">Ledger row</h2>
              <Row row={record.ledger} now={props.now} />
            </section>
          ) : null}
          {history.length > 0 ? (
            <section aria-labelledby="history">
              <h2 id="history">History</h2>
              <ol class="history">
                {history.map(([at, what]) => (
                  <li key={at + what}><span class="quiet">{moment(at)}</span> {what}</li>
                ))}
              </ol>
            </section>
          ) : null}
        </>
      ) : null}
    </main>
  );
}
