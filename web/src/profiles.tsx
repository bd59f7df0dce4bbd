import type { Asking } from "./acts";
import { api } from "./api";
import { StopLine } from "./cards";
import type { Stop } from "./documents";
import { count } from "./format";
import { useDocument } from "./load";
import type { Profile, Route } from "./notification_documents";
import { Facts, Id, Link, State, Time, Trouble } from "./parts";
import { routesWith, settingRows, tellsBy } from "./profile_words";

const most = 1000;

function StopActs(props: Asking & { of: Profile; stop: Stop | undefined }) {
  const { of, stop, begin } = props;
  if (!api.mayAct) return null;
  return (
    <div class="acts">
      {stop ? (
        <button type="button" onClick={() => begin({ act: "resume", stop, what: `messages by ${of.name}` })}>Resume…</button>
      ) : (
        <button type="button" onClick={() => begin({ act: "stop", scope: "profile", name: of.name, id: of.id })}>Stop…</button>
      )}
    </div>
  );
}

/** Where its provider's word comes in, and what came. */
function Telling(props: { of: Profile }) {
  const { of } = props;
  const by = tellsBy(of);
  if (by === "nothing") return null;
  return (
    <p class="line quiet">
      {by === "callbacks" ? (
        <>Its callbacks come to <span class="mono">/v1/callbacks/{of.id}</span>.</>
      ) : (
        <>Bounces of its mails are recorded by “sluice callbacks deliver --profile {of.name}”.</>
      )}{" "}
      <Link to={{ page: "callbacks", progress: "", profile: of.id, before: "" }}>What it told</Link>
    </p>
  );
}

function ProfileCard(props: Asking & { of: Profile; routes: Route[]; stop: Stop | undefined; now: string }) {
  const { of, stop, now } = props;
  const used = routesWith(of, props.routes);
  return (
    <article class={`card card-${stop ? "stopped" : used.length > 0 ? "calm" : "stale"}`}>
      <div class="card-head">
        <h3>{of.name}</h3>
        {stop ? <State of="stopped" /> : null}
        <span class="quiet">{of.provider} · {of.tenant}, changed <Time at={of.updated_at} now={now} /></span>
        <StopActs of={of} stop={stop} begin={props.begin} />
      </div>
      {stop ? <StopLine stop={stop} now={now} /> : null}
      <p class="line">
        {used.length > 0 ? `In ${used.length === 1 ? "the route" : "the routes"} ${used.map((each) => each.name).join(", ")}.` : "In no route: nothing is sent by it."}
      </p>
      <Telling of={of} />
      <details class="ids">
        <summary>Settings</summary>
        <Facts rows={[
          ...settingRows(of.settings),
          ["credentials", of.credentials ? <span class="sealed">sealed</span> : "none"],
          ["id", <Id of={of.id} what="profile" whole />],
        ]} />
      </details>
    </article>
  );
}

function RouteCard(props: Asking & { of: Route; profiles: Profile[] }) {
  const { of, profiles, begin } = props;
  return (
    <article class="card card-calm">
      <div class="card-head">
        <h3>{of.name}</h3>
        <span class="quiet">{of.tenant}</span>
        {api.isAdmin ? (
          <div class="acts"><button type="button" onClick={() => begin({ act: "route", of, profiles })}>Change order…</button></div>
        ) : null}
      </div>
      <ol class="steps">
        {of.profiles.map((each, at) => <li key={each}><span class="quiet">{at === 0 ? "first" : "then"}</span> {each}</li>)}
      </ol>
    </article>
  );
}

/** The accounts messages leave by, and the order in which they are tried. */
export function ProfilesPage(props: Asking & { now: string }) {
  const { document: profiles, problem } = useDocument<{ profiles: Profile[] }>(`/v1/profiles?limit=${most}`);
  const { document: routes, problem: unrouted } = useDocument<{ routes: Route[] }>(`/v1/routes?limit=${most}`);
  const { document: stops, problem: unasked } = useDocument<{ stops: Stop[] }>("/v1/stops");
  const stopOf = (profile: Profile) => stops?.stops.find((each) => each.profile === profile.id);
  return (
    <>
      <div class="page-head"><h1>Profiles and routes</h1></div>
      <Trouble problem={problem ?? unrouted ?? unasked} />
      <section aria-labelledby="routes-title">
        <h2 id="routes-title">Routes <span class="number">{routes ? count(routes.routes.length) : ""}</span></h2>
        {routes?.routes.length === 0 ? (
          <p class="line quiet">There is none yet. “sluice routes set NAME PROFILE…” makes one: nothing can be sent without.</p>
        ) : null}
        {routes?.routes.map((each) => (
          <RouteCard key={each.id} of={each} profiles={profiles?.profiles.filter((one) => one.tenant === each.tenant) ?? []} begin={props.begin} />
        ))}
      </section>
      <section aria-labelledby="profiles-title">
        <h2 id="profiles-title">Profiles <span class="number">{profiles ? count(profiles.profiles.length) : ""}</span></h2>
        {profiles?.profiles.length === 0 ? (
          <p class="line quiet">There is none yet. “sluice profiles set FILE” makes one of an account at a provider.</p>
        ) : null}
        {routes ? profiles?.profiles.map((each) => <ProfileCard key={each.id} of={each} routes={routes.routes} stop={stopOf(each)} {...props} />) : null}
      </section>
    </>
  );
}
