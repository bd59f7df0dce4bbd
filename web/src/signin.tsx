import { useState } from "preact/hooks";
import { api, problemOf, type Problem } from "./api";

export function SignIn(props: { done: () => void }) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await api.signIn(token.trim());
      props.done();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <main class="signin">
      <h1>Sluice</h1>
      <p class="quiet">What is delivered, what is not, and why.</p>
      <form onSubmit={submit}>
        <label>
          Token
          <input type="password" name="token" autoComplete="current-password" autoFocus required value={token}
                 onInput={(event) => setToken(event.currentTarget.value)} />
        </label>
        {problem ? <p class="trouble" role="alert">{problem.status === 401 ? "No live token has this text." : problem.text}</p> : null}
        <button type="submit" class="primary" disabled={busy}>Sign in</button>
      </form>
    </main>
  );
}
