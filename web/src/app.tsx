import { useEffect, useRef, useState } from "preact/hooks";
import { Asked, type Act } from "./acts";
import { api, problemOf } from "./api";
import { ConnectionsPage } from "./connections";
import { DeliveryPage } from "./delivery";
import type { Delivery } from "./documents";
import { count } from "./format";
import { live } from "./live";
import { NotificationPages } from "./notification_pages";
import { isNotificationPlace } from "./notification_places";
import { useDocument } from "./load";
import { Link } from "./parts";
import { placeOf, titleOf, type Place } from "./places";
import { PushView } from "./push";
import { RecordView } from "./record";
import { RuleView } from "./rule";
import { SignIn } from "./signin";
import { SubscriptionView } from "./subscription";
import { SubscriptionsPage } from "./subscriptions";
import { nextTheme, storedTheme, wear } from "./theme";

/** Set while this browser is signed in: without it nobody is asked who that would be. */
const signedInKey = "sluice.signed-in";

function usePlace(): Place {
  const [place, setPlace] = useState(placeOf(location));
  useEffect(() => {
    const moved = () => setPlace(placeOf(location));
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  return place;
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme());
  const turn = () => {
    const next = nextTheme(theme);
    wear(next);
    setTheme(next);
  };
  return (
    <button type="button" class="plain" onClick={turn}>
      <span class="unseen">Colours: </span>
      {{ system: "Auto", light: "Light", dark: "Dark" }[theme]}
    </button>
  );
}

function Head(props: { place: Place; badge: number; signOut: () => void }) {
  const { place, badge } = props;
  return (
    <header>
      <Link to={{ page: "delivery", search: "" }} class="mark">Sluice</Link>
      <nav aria-label="Pages">
        <Link to={{ page: "delivery", search: "" }} current={place.page === "delivery"}>
          Delivery
          {badge > 0 ? <span class="badge">{count(badge)}<span class="unseen"> rules need attention</span></span> : null}
        </Link>
        <Link to={{ page: "connections" }} current={place.page === "connections"}>Connections</Link>
        <Link to={{ page: "subscriptions", status: "", after: "" }} current={place.page === "subscriptions"}>Subscriptions</Link>
        <Link to={{ page: "notifications", state: "", contact: "", before: "" }} current={isNotificationPlace(place)}>Notifications</Link>
      </nav>
      <div class="who">
        <ThemeSwitch />
        <span class="quiet name">{api.session?.name}</span>
        <button type="button" class="plain" onClick={props.signOut}>Sign out</button>
      </div>
    </header>
  );
}

const saidFor = 6_000;

/** What was done, for everybody's eyes and ears. */
function Said(props: { sentence: string; over: () => void }) {
  useEffect(() => {
    if (!props.sentence) return;
    const timer = setTimeout(props.over, saidFor);
    return () => clearTimeout(timer);
  }, [props.sentence]);
  return <p class={props.sentence ? "said" : "said unseen"} role="status">{props.sentence}</p>;
}

function Signed(props: { signOut: () => void }) {
  const place = usePlace();
  const search = place.page === "delivery" ? place.search : "";
  const loaded = useDocument<Delivery>(`/v1/delivery?q=${encodeURIComponent(search)}`);
  const [act, setAct] = useState<Act | null>(null);
  const [sentence, setSentence] = useState("");
  const begun = useRef(0); // a question is a new one though the last has not quite gone
  useEffect(() => {
    live.start();
    return () => live.end();
  }, []);
  const badge = loaded.document?.badge ?? 0;
  const now = loaded.document?.now ?? new Date().toISOString();
  useEffect(() => {
    document.title = titleOf(place, badge);
  }, [place, badge]);
  const begin = (wanted: Act) => {
    begun.current += 1;
    setAct(wanted);
  };
  const done = (said: string) => {
    setAct(null);
    setSentence(said);
  };
  return (
    <>
      <Head place={place} badge={badge} signOut={props.signOut} />
      {place.page === "delivery" ? <DeliveryPage loaded={loaded} search={search} begin={begin} /> : null}
      {place.page === "connections" ? <ConnectionsPage now={now} begin={begin} /> : null}
      {place.page === "rule" ? <RuleView key={place.rule} rule={place.rule} status={place.status} now={now} begin={begin} /> : null}
      {place.page === "record" ? <RecordView rule={place.rule} sourceId={place.sourceId} now={now} begin={begin} /> : null}
      {place.page === "subscriptions" ? <SubscriptionsPage key={place.status + place.after} status={place.status} after={place.after} /> : null}
      {place.page === "subscription" ? (
        <SubscriptionView key={place.subscription} subscription={place.subscription} state={place.state} before={place.before} now={now} begin={begin} />
      ) : null}
      {place.page === "push" ? (
        <PushView key={place.event} subscription={place.subscription} event={place.event} before={place.before} now={now} begin={begin} />
      ) : null}
      {isNotificationPlace(place) ? (
        <NotificationPages place={place} around={{ now, stopped: Boolean(loaded.document?.global_stop) }} begin={begin} />
      ) : null}
      {place.page === "nowhere" ? <main><h1>Nothing here</h1></main> : null}
      {act ? <Asked key={begun.current} act={act} close={() => setAct(null)} done={done} /> : null}
      <p id="heard" class="unseen" role="status" />
      <Said sentence={sentence} over={() => setSentence("")} />
    </>
  );
}

export function App() {
  const [signed, setSigned] = useState<"asking" | "no" | "yes">(localStorage.getItem(signedInKey) ? "asking" : "no");
  const become = (now: "no" | "yes") => {
    if (now === "yes") localStorage.setItem(signedInKey, "yes");
    else localStorage.removeItem(signedInKey);
    setSigned(now);
  };
  useEffect(() => {
    api.signedOut = () => become("no");
    if (signed !== "asking") return;
    api.resume().then(
      () => become("yes"),
      (error: unknown) => (problemOf(error).status === 0 ? setTimeout(() => location.reload(), 5_000) : become("no")),
    );
  }, []);
  if (signed === "asking") return <main><p class="notice" role="status">Signing in…</p></main>;
  if (signed === "no") return <SignIn done={() => become("yes")} />;
  return <Signed signOut={() => void api.signOut().finally(() => become("no"))} />;
}
