import type { Asking } from "./acts";
import { api, path } from "./api";
import type { Replay, Subscription } from "./documents";
import { count, moment, percent, progressText, words } from "./format";
import { moving, useDocument } from "./load";
import { Time, Trouble } from "./parts";

const shown = 10;

function statesOf(replay: Replay): string {
  return replay.states.map(words).join(" or ");
}

function windowOf(replay: Replay): string {
  return `${moment(replay.from)} to ${moment(replay.to)}`;
}

/** Where it ended below what was counted, others were first with the rest. */
function passedOver(replay: Replay): string {
  const rest = replay.counted - replay.done;
  return replay.ending === "completed" && rest > 0 ? ` · ${count(rest)} had changed meanwhile and were passed over` : "";
}

function Latest(props: Asking & { of: Subscription; replay: Replay; now: string }) {
  const { of, replay } = props;
  const runs = replay.ended_at === null;
  return (
    <article class={`card card-${runs ? "backfill" : "calm"}`}>
      <div class="card-head">
        <h3>{runs ? "In progress" : `The latest was ${words(replay.ending ?? "ended")}`}</h3>
        {runs && api.mayAct ? (
          <div class="acts">
            <button type="button" onClick={() => props.begin({ act: "cancel", of, replay })}>Cancel…</button>
          </div>
        ) : null}
      </div>
      <progress aria-label={`Replay of ${of.name}`} max={100} value={percent(replay.done, replay.counted)} />
      <p class="line">
        {replay.counted > 0 ? progressText(replay.done, replay.counted) : "There was no such delivery"}
        <span class="quiet">{passedOver(replay)}</span>
      </p>
      <p class="line quiet">
        {statesOf(replay)}, {windowOf(replay)} · {replay.started_by}, <Time at={replay.started_at} now={props.now} />
        {replay.ended_by ? ` · ended by ${replay.ended_by}` : ""}
      </p>
    </article>
  );
}

function Earlier(props: { replays: Replay[]; now: string }) {
  if (props.replays.length === 0) return null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Earlier replays">
      <table>
        <thead>
          <tr><th scope="col">began</th><th scope="col">window</th><th scope="col">states</th><th scope="col" class="numeric">done</th><th scope="col" class="numeric">counted</th><th scope="col">ended</th><th scope="col">by</th></tr>
        </thead>
        <tbody>
          {props.replays.map((replay) => (
            <tr key={replay.id}>
              <td><Time at={replay.started_at} now={props.now} /></td>
              <td>{windowOf(replay)}</td>
              <td>{statesOf(replay)}</td>
              <td class="numeric">{count(replay.done)}</td>
              <td class="numeric">{count(replay.counted)}</td>
              <td>{replay.ending ? words(replay.ending) : "in progress"}</td>
              <td>{replay.started_by}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The latest with its bar, and a few before it. */
export function Replays(props: Asking & { of: Subscription; now: string }) {
  const { of, now, begin } = props;
  const { document, problem } = useDocument<{ replays: Replay[] }>(`${path`/v1/subscriptions/${of.id}/replays`}?limit=${shown}`, moving);
  const [latest, ...earlier] = document?.replays ?? [];
  const runs = latest?.ended_at === null;
  return (
    <section aria-labelledby="replays-title">
      <div class="section-head">
        <h2 id="replays-title">Replays</h2>
        {api.mayAct && document && !runs ? (
          <button type="button" onClick={() => begin({ act: "replay", of, now })}>Replay…</button>
        ) : null}
      </div>
      <Trouble problem={problem} />
      {latest ? <Latest of={of} replay={latest} now={now} begin={begin} /> : document ? <p class="line quiet">There was none.</p> : null}
      <Earlier replays={earlier} now={now} />
    </section>
  );
}
