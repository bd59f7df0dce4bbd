import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Asking } from "./acts";
import { api } from "./api";
import { BackfillCard, HoldCard, RuleRow, StopCard, StopLine, UnwellCard, type Shown } from "./cards";
import type { Delivery, GlobalState, Group } from "./documents";
import { count, plural } from "./format";
import type { Loaded } from "./load";
import { go, State, TenantHead, Time, Trouble } from "./parts";
import { addressOf } from "./places";

const globalNames: Record<GlobalState, string> = {
  ok: "Running",
  stopped: "Stopped",
  scheduler_down: "Scheduler down",
  runs_not_completing: "Runs not completing",
};
const searchPause = 200;

function Search(props: { text: string }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const seek = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go(addressOf({ page: "delivery", search: text.trim() }), true), searchPause);
  };
  useEffect(() => {
    const { current } = field;
    if (current && current !== document.activeElement) current.value = props.text;
  }, [props.text]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  return (
    <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
      <label for="search">Search</label>
      <input id="search" ref={field} type="search" defaultValue={props.text} autoComplete="off" spellcheck={false}
             aria-describedby="search-help" onInput={(event) => seek(event.currentTarget.value)} />
      <span id="search-help" class="quiet">a name, or 8 characters of an id</span>
    </form>
  );
}

function Tiles(props: { delivery: Delivery }) {
  const { tiles } = props.delivery;
  const numbers: [string, string, number][] = [
    ["stopped", "Stopped by people", tiles.stopped],
    ["held", "Held by the volume breaker", tiles.held],
    ["unwell", "Not delivering, no stop", tiles.unwell],
  ];
  return (
    <ul class="tiles">
      <li>
        <a href="#global" class={`tile tile-global-${tiles.global}`}>
          <span class="tile-name">Global delivery</span>
          <span class="tile-value">{globalNames[tiles.global]}</span>
        </a>
      </li>
      {numbers.map(([id, name, value]) => (
        <li key={id}>
          <a href={`#${id}`} class={`tile tile-${id} ${value ? "" : "tile-none"}`}>
            <span class="tile-name">{name}</span>
            <span class="tile-value">{count(value)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Cards<Entry>(props: {
  id: string;
  title: string;
  group: Group<Entry>;
  children: (entry: Entry) => ComponentChildren;
  folded?: number; // entries that one line stands for
  line?: ComponentChildren;
}) {
  const { group, folded = 0 } = props;
  if (group.count === 0) return null;
  const inCards = group.count - folded;
  return (
    <section id={props.id} aria-labelledby={`${props.id}-title`} tabIndex={-1}>
      <h2 id={`${props.id}-title`}>
        {props.title} <span class="number">{count(group.count)}</span>
      </h2>
      {group.tenants.map(({ tenant, cards }) => (
        <div class="tenant-cards" key={tenant.id}>
          <TenantHead tenant={tenant} />
          {cards.map(props.children)}
        </div>
      ))}
      {props.line}
      {group.shown < inCards ? (
        <p class="line quiet">The first {count(group.shown)} of {count(inCards)}; search to see others.</p>
      ) : null}
    </section>
  );
}

function GlobalCard(props: Shown & { delivery: Delivery }) {
  const { global_stop: stop, also_stopped: also, tiles, heartbeat_at } = props.delivery;
  if (tiles.global === "ok") return null;
  return (
    <section id="global" class={`card card-global-${tiles.global}`} aria-labelledby="global-title" tabIndex={-1}>
      <div class="card-head">
        <h2 id="global-title">{stop ? "All delivery is stopped" : globalNames[tiles.global]}</h2>
        {stop && api.mayActOnAll ? (
          <div class="acts">
            <button type="button" onClick={() => props.begin({ act: "resume", stop, what: "all delivery" })}>Resume…</button>
          </div>
        ) : null}
      </div>
      {stop ? <StopLine stop={stop} now={props.now} /> : null}
      {stop && also > 0 ? <p class="line">Also stops {plural(also, "push-out rule")} not listed below.</p> : null}
      {tiles.global === "scheduler_down" ? (
        <p class="line">
          The dispatcher has given no sign of life
          {heartbeat_at ? <> since <Time at={heartbeat_at} now={props.now} /></> : " yet"}: nothing is delivered.
        </p>
      ) : null}
      {tiles.global === "runs_not_completing" ? <p class="line">Rules have work, and none of them completes a run.</p> : null}
    </section>
  );
}

function StaleLine(props: { delivery: Delivery }) {
  const { stale, tiles } = props.delivery;
  if (stale === 0) return null;
  const cause = tiles.global === "scheduler_down" ? "the scheduler is down" : "runs do not complete";
  return <p class="line stale-line"><State of="stale" /> {plural(stale, "rule")}, because {cause}.</p>;
}

function Notice(props: { of: Delivery["notice"] }) {
  if (props.of === "none") return null;
  return (
    <p class="notice" role="status">
      {props.of === "all_well" ? "Every rule delivers normally." : "Nothing matches the search."}
    </p>
  );
}

export function DeliveryPage(props: Asking & { loaded: Loaded<Delivery>; search: string }) {
  const { loaded, begin } = props;
  const delivery = loaded.document;
  const shown = { now: delivery?.now ?? "", begin };
  return (
    <main>
      <div class="page-head">
        <h1>Delivery</h1>
        <Search text={props.search} />
        {api.mayActOnAll && delivery && !delivery.global_stop ? (
          <button type="button" onClick={() => begin({ act: "stop", scope: "global" })}>Stop all…</button>
        ) : null}
      </div>
      <Trouble problem={loaded.problem} />
      {delivery ? (
        <>
          <Tiles delivery={delivery} />
          <GlobalCard delivery={delivery} {...shown} />
          <Notice of={delivery.notice} />
          <Cards id="stopped" title="Stopped by people" group={delivery.stopped}>
            {(card) => (card.stop ? <StopCard key={card.stop.id} card={{ ...card, stop: card.stop }} {...shown} /> : null)}
          </Cards>
          <Cards id="held" title="Held by the volume breaker" group={delivery.held}>
            {(card) => card.stop && card.rules[0] ? <HoldCard key={card.stop.id} hold={card.stop} rule={card.rules[0]} {...shown} /> : null}
          </Cards>
          <Cards id="unwell" title="Not delivering, no stop" group={delivery.unwell} folded={delivery.stale}
                 line={<StaleLine delivery={delivery} />}>
            {(card) => (card.rules[0] ? <UnwellCard key={card.rules[0].id} rule={card.rules[0]} {...shown} /> : null)}
          </Cards>
          <Cards id="backfills" title="Backfills in progress" group={delivery.backfills}>
            {(backfill) => <BackfillCard key={backfill.id} backfill={backfill} {...shown} />}
          </Cards>
          <Cards id="others" title="Other rules found" group={delivery.others}>
            {(card) => (card.rules[0] ? <RuleRow key={card.rules[0].id} rule={card.rules[0]} /> : null)}
          </Cards>
        </>
      ) : loaded.problem ? null : (
        <p class="notice" role="status">Loading…</p>
      )}
    </main>
  );
}
