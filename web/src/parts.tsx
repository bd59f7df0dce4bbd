import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "./api";
import type { RouteEnd, RuleState, Tenant } from "./documents";
import { moment, relative, shortId, words } from "./format";
import { addressOf, type Place } from "./places";

/** Goes to another place of the page; with a modifier the browser does what it always does. */
export function Link(props: { to: Place; class?: string; children: ComponentChildren; current?: boolean }) {
  const href = addressOf(props.to);
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    go(href);
  };
  return (
    <a href={href} class={props.class} aria-current={props.current ? "page" : undefined} onClick={follow}>
      {props.children}
    </a>
  );
}

export function go(href: string, replace = false): void {
  if (replace) history.replaceState(null, "", href);
  else {
    history.pushState(null, "", href);
    scrollTo(0, 0);
  }
  dispatchEvent(new PopStateEvent("popstate"));
}

/** A page that came over plain HTTP from another machine has no clipboard of the newer kind. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}

/** Says it to those who do not see the page. */
export function announce(sentence: string): void {
  const heard = document.getElementById("heard");
  if (heard) heard.textContent = sentence;
}

const copiedShownFor = 1_500;

/** An id, short or whole; a click copies all of it. */
export function Id(props: { of: string; what: string; whole?: boolean }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(""), copiedShownFor);
    return () => clearTimeout(timer);
  }, [said]);
  const click = async () => {
    const result = (await copy(props.of)) ? "Copied" : "Not copied";
    setSaid(result);
    announce(`${result}: ${props.what} id`);
  };
  return (
    <span class="id">
      <button type="button" class="id-text" title={`Copy ${props.what} id ${props.of}`} onClick={click}>
        <span class="unseen">Copy {props.what} id </span>
        {props.whole ? props.of : shortId(props.of)}
      </button>
      {said ? <span class="copied" aria-hidden="true">{said}</span> : null}
    </span>
  );
}

export function TenantHead(props: { tenant: Tenant }) {
  return (
    <h3 class="tenant">
      {props.tenant.name} <Id of={props.tenant.id} what="tenant" />
    </h3>
  );
}

export function Ids(props: { rule?: string; source?: RouteEnd; target?: RouteEnd; tenant: Tenant }) {
  const rows: [string, string | undefined][] = [
    ["tenant", props.tenant.id],
    ["rule", props.rule],
    ["source", props.source?.id],
    ["target", props.target?.id],
  ];
  return (
    <details class="ids">
      <summary>IDs</summary>
      <dl>
        {rows.map(([what, id]) =>
          id ? (
            <div key={what}>
              <dt>{what}</dt>
              <dd>
                <Id of={id} what={what} whole />
              </dd>
            </div>
          ) : null,
        )}
      </dl>
    </details>
  );
}

export function State(props: { of: RuleState | string }) {
  return <span class={`state state-${props.of}`}>{words(props.of)}</span>;
}

export function Time(props: { at: string; now: string }) {
  return (
    <time dateTime={props.at} title={moment(props.at)}>
      {relative(props.at, props.now)}
    </time>
  );
}

/** The name, and the host or what else there is. */
export function Where(props: { of: RouteEnd }) {
  return (
    <span class="place">
      {props.of.name}
      <span class="quiet"> {props.of.host || props.of.driver}</span>
    </span>
  );
}

/** What is known, each under its name; what says nothing is left out. */
export function Facts(props: { rows: [string, ComponentChildren][] }) {
  return (
    <dl class="facts">
      {props.rows.map(([name, value]) => value ? <div key={name}><dt>{name}</dt><dd>{value}</dd></div> : null)}
    </dl>
  );
}

export function Trouble(props: { problem: Problem | null }) {
  return props.problem ? (
    <p class="trouble" role="alert">
      {props.problem.text}
    </p>
  ) : null;
}

/** A question that is answered before anything else goes on. Escape and “Cancel” say no. */
export function Dialog(props: { title: string; close: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={props.close}>
      <h2 id="dialog-title">{props.title}</h2>
      {props.children}
    </dialog>
  );
}
