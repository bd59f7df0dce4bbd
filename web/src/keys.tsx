import { api } from "./api";
import { keyStory, standingOf } from "./key_words";
import { moving, useDocument } from "./load";
import type { Key, Keys } from "./notification_documents";
import { State, Trouble } from "./parts";

const moods = { makes_new: "calm", needed: "held", missing: "failing", not_needed: "calm" };

function KeyCard(props: { of: Key }) {
  const { of } = props;
  const standing = standingOf(of);
  return (
    <article class={`card card-${moods[standing]}`}>
      <div class="card-head">
        <h3 class="mono">{of.name}</h3>
        <State of={standing} />
      </div>
      <p class="line">{keyStory(of)}</p>
    </article>
  );
}

function Ring(props: { id: string; title: string; explains: string; setting: string; keys: Key[] }) {
  return (
    <section aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      <p class="line quiet lead">{props.explains}</p>
      {props.keys.length === 0 ? (
        <p class="line">There is none: put one into <span class="mono">{props.setting}</span>, or nothing can be kept sealed.</p>
      ) : null}
      {props.keys.map((each) => <KeyCard key={each.name} of={each} />)}
    </section>
  );
}

function Rings() {
  const { document, problem } = useDocument<Keys>("/v1/keys", moving);
  return (
    <>
      <Trouble problem={problem} />
      {document ? (
        <>
          <Ring id="sealing" title="Sealing" setting="keys.keys_file" keys={document.keys}
                explains="Addresses, contents, reports, credentials and secrets are sealed with the first key of the settings; the others read." />
          <Ring id="fingerprints" title="Fingerprints" setting="keys.fingerprint_keys_file" keys={document.fingerprint_keys}
                explains="By them an address is found again without being opened." />
        </>
      ) : null}
    </>
  );
}

/** Which keys are in use, and what still needs an old one. None of them is shown. */
export function KeysPage() {
  return (
    <>
      <div class="page-head"><h1>Keys</h1></div>
      {api.isAdmin && api.session?.tenants === null ? <Rings /> : <p class="notice" role="status">Keys are an admin's who sees every tenant.</p>}
    </>
  );
}
