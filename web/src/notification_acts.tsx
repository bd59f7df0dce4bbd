import { useState } from "preact/hooks";
import { path } from "./api";
import { Confirm, useSending, type Answering } from "./confirm";
import { kindText, liftingWarning } from "./contact_words";
import { shortId } from "./format";
import type { Contact, NotificationHistory, Profile, Route } from "./notification_documents";
import { ReplayCallbacks } from "./replay_callbacks";
import { Reveal } from "./reveal";
import { RouteQuestion } from "./route_order";
import { consequenceOf, outcomeWords, settled, type Outcome } from "./settling";

/** What somebody is about to do to a notification, or to what belongs to it. */
export type NotificationAct =
  | { act: "settle"; outcome: Outcome; of: NotificationHistory }
  | { act: "withdraw"; of: NotificationHistory }
  | { act: "suppress" | "lift" | "reveal"; of: Contact }
  | { act: "replay callbacks" }
  | { act: "route"; of: Route; profiles: Profile[] };

interface Question<Kind extends NotificationAct["act"]> extends Answering {
  of: Extract<NotificationAct, { act: Kind }>;
}

function Words(props: { label: string; value: string; change: (value: string) => void; first?: boolean }) {
  return (
    <label>
      {props.label}
      <input type="text" value={props.value} maxLength={500} autoComplete="off" autoFocus={props.first ?? false}
             onInput={(event) => props.change(event.currentTarget.value)} />
    </label>
  );
}

/** What nobody but a person can find out; typed, for the node goes on by it. */
function SettleQuestion({ of, close, done }: Question<"settle">) {
  const [typed, setTyped] = useState("");
  const [messageId, setMessageId] = useState("");
  const [reason, setReason] = useState("");
  const { problem, busy, send } = useSending(done);
  const { outcome } = of;
  const word = outcomeWords[outcome];
  const taken = outcome === "accepted";
  const name = `notification ${shortId(of.of.id)}`;
  const body = settled(outcome, of.of.attempts, messageId, reason);
  const go = () => send(path`/v1/notifications/${of.of.id}/settle`, body, `Settled as ${word}: ${name}.`);
  return (
    <Confirm title={`Settle ${name} as ${word}?`} verb={taken ? "It was accepted" : "Send it again"} danger
             off={typed.trim().toLowerCase() !== word} {...{ busy, problem, close, go }}>
      <p>{consequenceOf(outcome, of.of.attempts, of.of.profile ?? "the profile")}</p>
      {taken ? <Words label="The provider's id of the message, where its pages show one" value={messageId} change={setMessageId} /> : null}
      <Words label="How it was found out, for the audit; no address" value={reason} change={setReason} />
      <Words label={`The provider's own pages were looked at: type “${word}”`} value={typed} change={setTyped} />
    </Confirm>
  );
}

function WithdrawQuestion({ of, close, done }: Question<"withdraw">) {
  const [reason, setReason] = useState("");
  const { problem, busy, send } = useSending(done);
  const name = `notification ${shortId(of.of.id)}`;
  const go = () => send(path`/v1/notifications/${of.of.id}/cancel`, { reason: reason.trim() }, `Cancelled ${name}.`);
  return (
    <Confirm title={`Cancel ${name}?`} verb="Do not send it" danger {...{ busy, problem, close, go }}>
      <p>It is not sent, now or later. Where an attempt begins meanwhile, this is refused.</p>
      <Words label="Why, for the audit; no address" value={reason} change={setReason} first />
    </Confirm>
  );
}

function SuppressQuestion({ of, close, done }: Question<"suppress" | "lift" | "reveal">) {
  const [reason, setReason] = useState("");
  const { problem, busy, send } = useSending(done);
  const lifts = of.act === "lift";
  const name = `this ${kindText(of.of.kind)[0]?.toLowerCase() ?? ""}${kindText(of.of.kind).slice(1)}`;
  const go = () => send(path`/v1/contact-points/${of.of.id}/${of.act}`, { reason: reason.trim() },
                        lifts ? "Lifted: it may be sent to again." : "Suppressed: nothing is sent to it.");
  return (
    <Confirm title={lifts ? `Send to ${name} again?` : `Send nothing more to ${name}?`} verb={lifts ? "Lift" : "Suppress"} danger
             off={!reason.trim()} {...{ busy, problem, close, go }}>
      <p>
        {lifts ? `The suppression ends. What was refused because of it stays as it is. ${of.of.suppression ? liftingWarning(of.of.suppression) : ""}`
               : "What waits for it fails when its turn comes, and what is posted from now on at once, until somebody lifts this."}
      </p>
      <Words label="Why, for the audit; no address" value={reason} change={setReason} first />
    </Confirm>
  );
}

export function NotificationQuestion(props: Answering & { of: NotificationAct }) {
  const { of, ...rest } = props;
  switch (of.act) {
    case "settle":
      return <SettleQuestion of={of} {...rest} />;
    case "withdraw":
      return <WithdrawQuestion of={of} {...rest} />;
    case "suppress":
    case "lift":
      return <SuppressQuestion of={of} {...rest} />;
    case "reveal":
      return <Reveal of={of.of} close={rest.close} />;
    case "replay callbacks":
      return <ReplayCallbacks {...rest} />;
    case "route":
      return <RouteQuestion of={of.of} profiles={of.profiles} {...rest} />;
  }
}
