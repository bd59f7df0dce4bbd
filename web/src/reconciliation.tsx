import { count, words } from "./format";
import { Filters, Pages, Table } from "./listing";
import { moving, useDocument } from "./load";
import type { Kind, Left, ReconciliationItem, ReconciliationList, ReconciliationOverview } from "./notification_documents";
import { Link, State, Time, Trouble } from "./parts";
import { explanationOf, isKind, leftText, noNextLook, nothingLeft, titleOf, verdictText } from "./reconciliation_words";

const shown = 50;

function moodOf(left: Left): string {
  if (left.left === 0) return "none";
  return left.for_people > 0 ? "unwell" : "held";
}

function Tiles(props: { kinds: Left[]; chosen: Kind; now: string }) {
  return (
    <ul class="tiles tiles-even">
      {props.kinds.map((each) => (
        <li key={each.kind}>
          <Link to={{ page: "reconciliation", kind: each.kind, people: "", after: "" }} class={`tile tile-${moodOf(each)}`}
                current={each.kind === props.chosen}>
            <span class="tile-name">{titleOf(each.kind)}</span>
            <span class="tile-value">{count(each.left)}</span>
            <span class="tile-note">{leftText(each, props.now)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function What(props: { of: ReconciliationItem }) {
  const { of } = props;
  if (of.notification)
    return <Link to={{ page: "notification", notification: of.notification }}>{of.notification.slice(-8)}, attempt {of.attempt}</Link>;
  if (of.rule && of.record)
    return <><Link to={{ page: "record", rule: of.rule, sourceId: of.record }}>{of.record}</Link> of {of.rule}</>;
  return <>event {of.event}</>;
}

function whatText(of: ReconciliationItem): string {
  return [of.notification, of.attempt, of.event, of.rule, of.record].join(" ");
}

/** A create has a rule instead. */
function Whose(props: { of: ReconciliationItem }) {
  const { of } = props;
  if (of.kind === "unknown_create") return null;
  return of.profile ? <>{of.profile}</> : <span class="quiet">removed</span>;
}

function Found(props: { of: ReconciliationItem }) {
  const { of } = props;
  if (of.verdict) return <>{verdictText(of.verdict)}</>;
  return <span class="quiet">{of.looks === 0 ? "not looked yet" : ""}</span>;
}

function Next(props: { of: ReconciliationItem; now: string }) {
  const { of, now } = props;
  if (of.needs_person) return <State of="needs_person" />;
  return of.next_look_at ? <Time at={of.next_look_at} now={now} /> : <span class="quiet">{noNextLook(of.kind)}</span>;
}

function Items(props: { kind: Kind; people: string; after: string; now: string }) {
  const { kind, people, after, now } = props;
  const asked = new URLSearchParams({ limit: String(shown), ...(people ? { for_people: people } : {}), ...(after ? { after } : {}) });
  const { document, problem } = useDocument<ReconciliationList>(`/v1/reconciliation/${kind}?${asked}`, moving);
  const at = { page: "reconciliation" as const, kind, people };
  return (
    <>
      <Trouble problem={problem} />
      {document?.items.length === 0 ? <p class="notice" role="status">{people ? "None of them is a person's." : nothingLeft(kind)}</p> : null}
      {document && document.items.length > 0 ? (
        <Table label="What is left"
               heads={[["what"], ["profile"], ["known there as"], ["since"], ["looks", true], ["last look"], ["found"], ["next look"]]}>
          {document.items.map((each) => (
            <tr key={whatText(each)}>
              <td class="mono"><What of={each} /></td>
              <td><Whose of={each} /></td>
              <td class="mono">{each.provider_message_id}</td>
              <td><Time at={each.since} now={now} /></td>
              <td class="numeric">{count(each.looks)}</td>
              <td>{each.last_look_at ? <Time at={each.last_look_at} now={now} /> : ""}</td>
              <td><Found of={each} /></td>
              <td><Next of={each} now={now} /></td>
            </tr>
          ))}
        </Table>
      ) : null}
      <Pages first={after ? { ...at, after: "" } : null} firstIs="First page"
             next={document?.next_after ? { ...at, after: document.next_after } : null} nextIs="Next page" />
    </>
  );
}

/** The first that has something left, unless another is asked for. */
function chosenOf(asked: string, kinds: Left[]): Kind {
  if (isKind(asked)) return asked;
  const first = kinds.find((each) => each.for_people > 0) ?? kinds.find((each) => each.left > 0 && each.kind !== "lapsed_attempt");
  return first?.kind ?? "ambiguous_submission";
}

export function ReconciliationPage(props: { kind: string; people: string; after: string; now: string }) {
  const { people, after, now } = props;
  const { document, problem } = useDocument<ReconciliationOverview>("/v1/reconciliation", moving);
  const kind = chosenOf(props.kind, document?.kinds ?? []);
  return (
    <>
      <div class="page-head"><h1>Reconciliation</h1></div>
      <Trouble problem={problem} />
      {document ? (
        <>
          <Tiles kinds={document.kinds} chosen={kind} now={now} />
          <section aria-labelledby="left-title">
            <h2 id="left-title">{titleOf(kind)}</h2>
            <p class="line quiet lead">{explanationOf(kind)}</p>
            {kind === "ambiguous_submission" || kind === "unknown_create" ? (
              <Filters label="For whom" chosen={people} choices={["true"]} name={() => words("needs_person")}
                       to={(chosen) => ({ page: "reconciliation", kind, people: chosen, after: "" })} />
            ) : null}
            <Items key={`${kind} ${people} ${after}`} kind={kind} people={people} after={after} now={now} />
          </section>
        </>
      ) : null}
    </>
  );
}
