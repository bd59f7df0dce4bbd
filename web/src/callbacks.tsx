import type { Asking } from "./acts";
import { api } from "./api";
import { words } from "./format";
import { Filters, Pages, Table } from "./listing";
import { moving, useDocument } from "./load";
import type { ProviderEvent, ProviderEventList, RefusedList } from "./notification_documents";
import { Link, State, Time, Trouble } from "./parts";
import { useProfileNames, type NameOf } from "./profile_names";

const shown = 50;
const progresses = ["unmatched", "pending", "matched", "duplicate"];

const explanations: Record<string, string> = {
  unmatched: "Told of messages that no attempt here is known for: sent by something else under the same account, or not recorded here yet. Reconciliation looks again.",
  pending: "Recorded, and not looked at yet: that is done within seconds. What stays here is projected by nobody, so no node is running its callbacks.",
  matched: "Each belongs to an attempt, whose notification shows what became of it.",
  duplicate: "Told before. They are kept, and change nothing.",
};

function Head(props: Asking & { current: string }) {
  const { current, begin } = props;
  return (
    <>
      <div class="page-head">
        <h1>{current === "refused" ? "Refused callbacks" : "Callbacks"}</h1>
        {current !== "refused" && api.mayActOnAll ? (
          <button type="button" onClick={() => begin({ act: "replay callbacks" })}>Replay…</button>
        ) : null}
      </div>
      <Filters label="Callbacks" chosen={current} choices={api.isAdmin ? [...progresses, "refused"] : progresses}
               to={(chosen) => (chosen === "refused" ? { page: "refused", before: "" } : { page: "callbacks", progress: chosen, profile: "", before: "" })} />
    </>
  );
}

function Row(props: { of: ProviderEvent; nameOf: NameOf; now: string }) {
  const { of, now } = props;
  return (
    <tr>
      <td><Time at={of.received_at} now={now} /></td>
      <td>{props.nameOf(of.profile)}</td>
      <td><State of={of.type} />{of.provider_type && of.provider_type !== of.type ? <span class="quiet"> “{of.provider_type}”</span> : null}</td>
      <td><State of={of.progress} /></td>
      <td class="mono">{of.provider_message_id}</td>
      <td>{of.occurred_at ? <Time at={of.occurred_at} now={now} /> : ""}</td>
      <td>{of.source === "reconciliation" ? <span class="quiet">asked for. </span> : null}{of.suppresses ? `Suppresses: ${words(of.suppresses)}. ` : ""}{of.detail}</td>
    </tr>
  );
}

/** What providers told, with what was done about it. */
export function CallbacksPage(props: Asking & { progress: string; profile: string; before: string; now: string }) {
  const { progress, profile, before, now } = props;
  const nameOf = useProfileNames();
  const asked = new URLSearchParams({
    limit: String(shown), ...(progress ? { progress } : {}), ...(profile ? { profile } : {}), ...(before ? { before } : {}),
  });
  const { document, problem } = useDocument<ProviderEventList>(`/v1/provider-events?${asked}`, moving);
  const at = { page: "callbacks" as const, progress, profile };
  return (
    <>
      <Head current={progress} begin={props.begin} />
      {profile ? <p class="line">To {nameOf(profile)} alone. <Link to={{ ...at, profile: "", before: "" }}>Show all</Link></p> : null}
      {explanations[progress] ? <p class="line quiet lead">{explanations[progress]}</p> : null}
      <Trouble problem={problem} />
      {document?.events.length === 0 ? (
        <p class="notice" role="status">
          {progress || profile || before ? "There is none." : "Providers told nothing yet. Give each the address of its profile's callbacks, which the profile shows."}
        </p>
      ) : null}
      {document && document.events.length > 0 ? (
        <Table label="What providers told" heads={[["received"], ["profile"], ["told"], ["progress"], ["message"], ["occurred"], ["detail"]]}>
          {document.events.map((each) => <Row key={each.id} of={each} nameOf={nameOf} now={now} />)}
        </Table>
      ) : null}
      <Pages first={before ? { ...at, before: "" } : null} firstIs="Newest"
             next={document?.next_before ? { ...at, before: String(document.next_before) } : null} nextIs="Older" />
    </>
  );
}

/** What was posted and was not the provider's: nothing of it is kept but who sent it and why it was refused. */
export function RefusedPage(props: Asking & { before: string; now: string }) {
  const { before, now } = props;
  const nameOf = useProfileNames();
  const asked = new URLSearchParams({ limit: String(shown), ...(before ? { before } : {}) });
  const { document, problem } = useDocument<RefusedList>(`/v1/refused-callbacks?${asked}`, moving);
  return (
    <>
      <Head current="refused" begin={props.begin} />
      <p class="line quiet lead">
        Posted to a callback address and not the provider's. Where they come from the provider itself, a secret or address in the profile is wrong.
      </p>
      <Trouble problem={problem} />
      {document?.refused.length === 0 ? <p class="notice" role="status">No callback was refused.</p> : null}
      {document && document.refused.length > 0 ? (
        <Table label="Refused callbacks" heads={[["at"], ["from"], ["profile"], ["why"], ["reason"], ["digest of the body"]]}>
          {document.refused.map((each) => (
            <tr key={each.id}>
              <td><Time at={each.at} now={now} /></td>
              <td class="mono">{each.source}</td>
              <td>{each.profile ? nameOf(each.profile) : <span class="quiet">none</span>}</td>
              <td><State of={each.kind} /></td>
              <td>{each.reason}</td>
              <td class="mono" title={each.digest}>{each.digest.slice(0, 12)}…</td>
            </tr>
          ))}
        </Table>
      ) : null}
      <Pages first={before ? { page: "refused", before: "" } : null} firstIs="Newest"
             next={document?.next_before ? { page: "refused", before: String(document.next_before) } : null} nextIs="Older" />
    </>
  );
}
