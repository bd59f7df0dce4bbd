import type { Asking } from "./acts";
import { api } from "./api";
import { StopLine } from "./cards";
import type { Connection, Stop } from "./documents";
import { moment } from "./format";
import { useDocument } from "./load";
import { Id, Link, State, TenantHead, Trouble } from "./parts";

function byTenant(connections: Connection[]): Connection[][] {
  const groups = new Map<string, Connection[]>();
  for (const each of connections) groups.set(each.tenant_id, [...(groups.get(each.tenant_id) ?? []), each]);
  return [...groups.values()].sort(([a], [b]) => (a?.tenant ?? "").localeCompare(b?.tenant ?? ""));
}

function Row(props: Asking & { connection: Connection; stop: Stop | undefined; now: string }) {
  const { connection, stop, begin } = props;
  const target = connection.driver !== "mirror";
  const mood = stop ? "stopped" : connection.state === "error" ? "failing" : "calm";
  return (
    <article class={`card card-${mood}`}>
      <div class="card-head">
        <h4><Link to={{ page: "delivery", search: connection.name }}>{connection.name}</Link></h4>
        {stop ? <State of="stopped" /> : null}
        {connection.state === "active" ? null : <State of={connection.state} />}
        {api.mayAct && target && !connection.disconnected_at ? (
          <div class="acts">
            {stop ? (
              <button type="button" onClick={() => begin({ act: "resume", stop, what: connection.name })}>Resume…</button>
            ) : (
              <button type="button" onClick={() => begin({ act: "stop", scope: "connection", name: connection.name })}>Stop…</button>
            )}
          </div>
        ) : null}
      </div>
      <p class="line quiet">
        {target ? `target ${connection.host || connection.driver}` : "source, in the mirror"} <Id of={connection.id} what="connection" />
      </p>
      {connection.reason ? <p class="line">{connection.reason}</p> : null}
      {connection.purged_from ? <p class="line">What is known of it is removed from {moment(connection.purged_from)} on.</p> : null}
      {stop ? <StopLine stop={stop} now={props.now} /> : null}
    </article>
  );
}

export function ConnectionsPage(props: Asking & { now: string }) {
  const { document, problem } = useDocument<{ connections: Connection[] }>("/v1/connections");
  const stops = useDocument<{ stops: Stop[] }>("/v1/stops");
  const stopOf = (name: string) => stops.document?.stops.find((stop) => stop.connection === name);
  return (
    <main>
      <div class="page-head"><h1>Connections</h1></div>
      <Trouble problem={problem ?? stops.problem} />
      {document?.connections.length === 0 ? <p class="notice">There is none yet. “sluice apply” makes them.</p> : null}
      {byTenant(document?.connections ?? []).map((connections) => {
        const [first] = connections;
        if (!first) return null;
        return (
          <section class="tenant-cards" key={first.tenant_id} aria-label={first.tenant}>
            <TenantHead tenant={{ name: first.tenant, id: first.tenant_id }} />
            {connections.map((each) => (
              <Row key={each.id} connection={each} stop={stopOf(each.name)} now={props.now} begin={props.begin} />
            ))}
          </section>
        );
      })}
    </main>
  );
}
