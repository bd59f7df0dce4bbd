import { useState } from "preact/hooks";
import { api, path, problemOf, type Problem } from "./api";
import { kindText } from "./contact_words";
import type { Contact } from "./notification_documents";
import { Dialog, Trouble } from "./parts";

/** The one place of the page that shows an address: asked for, and forgotten when it is closed. */
export function Reveal(props: { of: Contact; close: () => void }) {
  const { of, close } = props;
  const [address, setAddress] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const reveal = async () => {
    setBusy(true);
    setProblem(null);
    try {
      setAddress((await api.post<{ address: string }>(path`/v1/contact-points/${of.id}/reveal`, {})).address);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (address !== null) close();
    else if (!busy) void reveal();
  };
  return (
    <Dialog title={address === null ? "Reveal the address?" : kindText(of.kind)} close={close}>
      <form onSubmit={submit}>
        {address === null ? (
          <p>It is somebody's. The audit keeps that {api.session?.name ?? "you"} asked for it, before it is shown.</p>
        ) : (
          <p><output class="mono revealed">{address}</output></p>
        )}
        <Trouble problem={problem} />
        <div class="answers">
          {address === null ? <button type="button" onClick={close}>Cancel</button> : null}
          <button type="submit" class="primary" disabled={busy && address === null}>{address === null ? "Reveal" : "Close"}</button>
        </div>
      </form>
    </Dialog>
  );
}
