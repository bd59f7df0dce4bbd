import { useEffect, useState } from "preact/hooks";
import { api, path, problemOf, type Problem } from "./api";
import { Confirm, useSending, type Answering } from "./confirm";
import type { Preview, Stop } from "./documents";
import { count, moment, plural } from "./format";
import { NotificationQuestion, type NotificationAct } from "./notification_acts";
import { SubscriptionQuestion, type SubscriptionAct } from "./subscription_acts";

/** What somebody is about to do; the page shows the question that goes with it. */
export type Act =
  | { act: "stop"; scope: "global" }
  | { act: "stop"; scope: "connection" | "rule"; name: string }
  | { act: "stop"; scope: "profile"; name: string; id: string }
  | { act: "resume"; stop: Stop; what: string }
  | { act: "release" | "discard"; hold: Stop; rule: string }
  | { act: "backfill" | "abort"; rule: string }
  | { act: "retry" | "reopen"; rule: string; sourceId: string }
  | SubscriptionAct
  | NotificationAct;

export interface Asking {
  begin: (act: Act) => void;
}

interface Question<Kind extends Act["act"]> extends Answering {
  of: Extract<Act, { act: Kind }>;
}

function stoppedText(of: Extract<Act, { act: "stop" }>): string {
  switch (of.scope) {
    case "global":
      return "all delivery";
    case "rule":
      return `rule ${of.name}`;
    case "connection":
      return `deliveries into ${of.name}`;
    case "profile":
      return `messages by ${of.name}`;
  }
}

function StopQuestion({ of, close, done }: Question<"stop">) {
  const [reason, setReason] = useState("");
  const { problem, busy, send } = useSending(done);
  const what = stoppedText(of);
  const body = { scope: of.scope, reason: reason.trim(), ...(of.scope === "global" ? {} : { [of.scope]: of.scope === "profile" ? of.id : of.name }) };
  const go = () => send("/v1/stops", body, `Stopped ${what}.`);
  return (
    <Confirm title={`Stop ${what}?`} verb="Stop" danger off={!reason.trim()} {...{ busy, problem, close, go }}>
      <p>No call starts any more once this is confirmed; what is out is waited for and recorded. Nothing is lost.</p>
      {of.scope === "profile" ? <p>What is for it waits, and does not fall back to another profile. Callbacks go on being taken.</p> : null}
      <label>
        Reason
        <input type="text" value={reason} maxLength={500} required autoFocus
               onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
    </Confirm>
  );
}

function ResumeQuestion({ of, close, done }: Question<"resume">) {
  const { problem, busy, send } = useSending(done);
  const go = () => send(path`/v1/stops/${of.stop.id}/end`, {}, `Resumed ${of.what}.`);
  return (
    <Confirm title={`Resume ${of.what}?`} verb="Resume" {...{ busy, problem, close, go }}>
      <p>Delivery goes on at once where it stopped. The stop was set for: {of.stop.reason || "no reason given"}.</p>
    </Confirm>
  );
}

function ReleaseQuestion({ of, close, done }: Question<"release" | "discard">) {
  const finding = of.hold.finding;
  const pending = finding?.pending ?? 0;
  const { problem, busy, send } = useSending(done);
  if (of.act === "discard") {
    const go = () => send(path`/v1/holds/${of.hold.id}/discard`, {}, `Discarded the hold of ${of.rule}.`);
    return (
      <Confirm title={`Discard the hold of ${of.rule}?`} verb="Discard" {...{ busy, problem, close, go }}>
        <p>
          The hold ends and nothing goes because of it. What is still to be withdrawn is counted anew; where it is too
          much again, a new hold follows.
        </p>
      </Confirm>
    );
  }
  const go = () =>
    send(path`/v1/holds/${of.hold.id}/release`, { allowed: pending }, `Released ${plural(pending, "withdrawal")} of ${of.rule}.`);
  return (
    <Confirm title={`Release the hold of ${of.rule}?`} verb={`Withdraw ${count(pending)}`} danger
             {...{ busy, problem, close, go }}>
      <p>
        <strong>{plural(pending, "record")}</strong> will be withdrawn from the target
        {finding ? `, which holds ${count(finding.known)} under this rule. The limit is ${count(finding.threshold)}.` : "."}
      </p>
    </Confirm>
  );
}

function AbortQuestion({ of, close, done }: Question<"backfill" | "abort">) {
  const { problem, busy, send } = useSending(done);
  const go = () => send(path`/v1/rules/${of.rule}/backfill/abort`, {}, `Aborted the backfill of ${of.rule}.`);
  return (
    <Confirm title={`Abort the backfill of ${of.rule}?`} verb="Abort" danger {...{ busy, problem, close, go }}>
      <p>The batch that is out is delivered to its end. What it had not reached goes out once it changes.</p>
    </Confirm>
  );
}

function OfferQuestion({ of, close, done }: Question<"retry" | "reopen">) {
  const { problem, busy, send } = useSending(done);
  const verb = of.act === "retry" ? "Retry" : "Reopen";
  const go = () =>
    send(path`/v1/rules/${of.rule}/${of.act}`, { source_id: of.sourceId }, `${of.sourceId} is due now.`);
  return (
    <Confirm title={`${verb} ${of.sourceId}?`} verb={verb} {...{ busy, problem, close, go }}>
      <p>
        {of.act === "retry"
          ? "It does not wait for its next attempt: it is tried as soon as the rule delivers. Its failed attempts stay counted."
          : "It is offered to the target again as soon as the rule delivers, its attempts counted anew."}
      </p>
    </Confirm>
  );
}

/** Counted when the dialog opens; bound and numbers stay while it is open. Resending counts against the same bound. */
function usePreview(rule: string, resend: boolean) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const bound = preview ? `&until=${encodeURIComponent(preview.until)}` : "";
    api.get<Preview>(`${path`/v1/rules/${rule}/backfill/preview`}?resend=${resend}${bound}`, control.signal).then(
      (counted) => setPreview(counted),
      (error: unknown) => {
        if (!control.signal.aborted) setProblem(problemOf(error));
      },
    );
    return () => control.abort();
  }, [rule, resend]);
  return { preview, problem };
}

function BackfillQuestion({ of, close, done }: Question<"backfill" | "abort">) {
  const [resend, setResend] = useState(false);
  const [typed, setTyped] = useState("");
  const counted = usePreview(of.rule, resend);
  const { problem, busy, send } = useSending(done);
  const preview = counted.preview;
  const sure = preview !== null && (preview.creates === 0 || typed.replace(/\D/g, "") === String(preview.creates));
  const go = () => {
    if (!preview) return;
    const { until, records, creates } = preview;
    void send(path`/v1/rules/${of.rule}/backfill`, { until, records, creates, resend }, `Started a backfill of ${of.rule}.`);
  };
  return (
    <Confirm title={`Start a backfill of ${of.rule}?`} verb="Start" off={!sure} busy={busy} close={close} go={go}
             problem={problem ?? counted.problem}>
      {preview ? (
        <>
          <dl class="numbers">
            <div><dt>records before {moment(preview.until)}</dt><dd>{count(preview.records)}</dd></div>
            <div><dt>creates it would send</dt><dd>{count(preview.creates)}</dd></div>
            <div><dt>updates it would send</dt><dd>{count(preview.updates)}</dd></div>
          </dl>
          <label class="tick">
            <input type="checkbox" checked={resend} onChange={(event) => setResend(event.currentTarget.checked)} />
            Send again what the target already has
          </label>
          {preview.creates > 0 ? (
            <label>
              What the target does on a create was checked: type the number of creates, {preview.creates}
              <input type="text" inputMode="numeric" value={typed} autoComplete="off"
                     onInput={(event) => setTyped(event.currentTarget.value)} />
            </label>
          ) : (
            <p>Nothing is created.</p>
          )}
        </>
      ) : (
        <p role="status">{counted.problem ? "" : "Counting…"}</p>
      )}
    </Confirm>
  );
}

export function Asked(props: Answering & { act: Act }) {
  const { act, ...rest } = props;
  switch (act.act) {
    case "stop":
      return <StopQuestion of={act} {...rest} />;
    case "resume":
      return <ResumeQuestion of={act} {...rest} />;
    case "release":
    case "discard":
      return <ReleaseQuestion of={act} {...rest} />;
    case "abort":
      return <AbortQuestion of={act} {...rest} />;
    case "backfill":
      return <BackfillQuestion of={act} {...rest} />;
    case "retry":
    case "reopen":
      return <OfferQuestion of={act} {...rest} />;
    case "status":
    case "test":
    case "push again":
    case "replay":
    case "cancel":
      return <SubscriptionQuestion of={act} {...rest} />;
    default:
      return <NotificationQuestion of={act} {...rest} />;
  }
}
