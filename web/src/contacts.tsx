import type { ComponentChildren } from "preact";
import type { Asking } from "./acts";
import { api, path } from "./api";
import { contactKinds, kindText, suppressionText } from "./contact_words";
import { shortId, words } from "./format";
import { Filters, Pages, Table } from "./listing";
import { moving, useDocument } from "./load";
import type { Contact, ContactList } from "./notification_documents";
import type { Surroundings } from "./notification_words";
import { Notifications } from "./notifications";
import { Facts, Id, Link, State, Time, Trouble } from "./parts";

const shown = 50;

function Row(props: { of: Contact; now: string }) {
  const { of, now } = props;
  return (
    <tr>
      <td class="mono"><Link to={{ page: "contact", contact: of.id }}>{shortId(of.id)}</Link></td>
      <td>{kindText(of.kind)} <span class="sealed">sealed</span></td>
      <td>{of.tenant}</td>
      <td>
        {of.suppression ? <><State of="not_reachable" /> <span class="quiet">{words(of.suppression.reason)}, <Time at={of.suppression.at} now={now} /></span></> : <State of="reachable" />}
      </td>
      <td><Time at={of.created_at} now={now} /></td>
    </tr>
  );
}

export function ContactsPage(props: { kind: string; suppressed: string; after: string; now: string }) {
  const { kind, suppressed, after, now } = props;
  const asked = new URLSearchParams({
    limit: String(shown), ...(kind ? { kind } : {}), ...(suppressed ? { suppressed } : {}), ...(after ? { after } : {}),
  });
  const { document, problem } = useDocument<ContactList>(`/v1/contact-points?${asked}`, moving);
  const at = { page: "contacts" as const, kind, suppressed };
  return (
    <>
      <div class="page-head"><h1>Contact points</h1></div>
      <p class="line quiet lead">Addresses are kept sealed and never listed. Whoever knows one finds its contact point by adding it again: “sluice contacts add”.</p>
      <Filters label="Suppression" chosen={suppressed} choices={["true", "false"]} name={(each) => (each === "true" ? "suppressed" : "reachable")}
               to={(chosen) => ({ ...at, suppressed: chosen, after: "" })} />
      <Filters label="Kinds" chosen={kind} choices={contactKinds} name={kindText} to={(chosen) => ({ ...at, kind: chosen, after: "" })} />
      <Trouble problem={problem} />
      {document?.contact_points.length === 0 ? (
        <p class="notice" role="status">{kind || suppressed || after ? "There is no such contact point." : "There is none yet. “sluice contacts add” makes one."}</p>
      ) : null}
      {document && document.contact_points.length > 0 ? (
        <Table label="Contact points" heads={[["id"], ["address"], ["tenant"], ["messages"], ["made"]]}>
          {document.contact_points.map((each) => <Row key={each.id} of={each} now={now} />)}
        </Table>
      ) : null}
      <Pages first={after ? { ...at, after: "" } : null} firstIs="First page"
             next={document?.next_after ? { ...at, after: String(document.next_after) } : null} nextIs="Next page" />
    </>
  );
}

function Acts(props: Asking & { of: Contact }) {
  const { of, begin } = props;
  if (!api.mayAct) return null;
  return (
    <div class="acts">
      {api.isAdmin ? <button type="button" onClick={() => begin({ act: "reveal", of })}>Reveal…</button> : null}
      {of.suppression ? (
        <button type="button" onClick={() => begin({ act: "lift", of })}>Lift…</button>
      ) : (
        <button type="button" onClick={() => begin({ act: "suppress", of })}>Suppress…</button>
      )}
    </div>
  );
}

function Suppressed(props: { of: Contact; now: string }) {
  const { suppression } = props.of;
  if (!suppression) return null;
  return (
    <div class="card card-held">
      <p class="line">Nothing is sent to it. {suppressionText(suppression)} {suppression.detail ? <q>{suppression.detail}</q> : null}</p>
      <p class="line quiet">{suppression.by ? `${suppression.by}, ` : ""}<Time at={suppression.at} now={props.now} /></p>
    </div>
  );
}

export function ContactView(props: Asking & { contact: string; around: Surroundings }) {
  const { around, begin } = props;
  const { document: of, problem } = useDocument<Contact>(path`/v1/contact-points/${props.contact}`, moving);
  const rows: [string, ComponentChildren][] = of ? [
    ["address", <span class="sealed">sealed</span>],
    ["registered by its app", of.token_seen_at ? <Time at={of.token_seen_at} now={around.now} /> : ""],
    ["made", <Time at={of.created_at} now={around.now} />],
    ["changed", <Time at={of.updated_at} now={around.now} />],
    ["id", <Id of={of.id} what="contact point" whole />],
  ] : [];
  return (
    <>
      <p class="crumb quiet">
        <Link to={{ page: "contacts", kind: "", suppressed: "", after: "" }}>Contact points</Link>{of ? ` · ${of.tenant}` : ""}
      </p>
      <div class="page-head">
        <h1>{of ? kindText(of.kind) : "Contact point"}</h1>
        {of ? <State of={of.suppression ? "not_reachable" : "reachable"} /> : null}
        {of ? <Acts of={of} begin={begin} /> : null}
      </div>
      <Trouble problem={problem} />
      {of ? (
        <>
          <Suppressed of={of} now={around.now} />
          <Facts rows={rows} />
          <section aria-labelledby="sent-title">
            <h2 id="sent-title">Notifications to it</h2>
            <Notifications state="" contact={of.id} before="" around={around} />
          </section>
        </>
      ) : null}
    </>
  );
}
