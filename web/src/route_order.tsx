import { useState } from "preact/hooks";
import { api, path, problemOf, type Problem } from "./api";
import { Confirm, type Answering } from "./confirm";
import { live } from "./live";
import type { Profile, Route } from "./notification_documents";
import { announce } from "./parts";
import { addable, moved } from "./profile_words";

function Step(props: { name: string; at: number; count: number; move: (by: -1 | 1) => void; remove: () => void }) {
  const { name, at, count } = props;
  return (
    <li class="step">
      <span class="step-name">{name}</span>
      <button type="button" disabled={at === 0} onClick={() => props.move(-1)}>Up<span class="unseen"> {name}</span></button>
      <button type="button" disabled={at === count - 1} onClick={() => props.move(1)}>Down<span class="unseen"> {name}</span></button>
      <button type="button" disabled={count === 1} onClick={props.remove}>Take out<span class="unseen"> {name}</span></button>
    </li>
  );
}

/** Which profiles a route has, in which order. The node refuses it where somebody else changed it meanwhile. */
export function RouteQuestion(props: Answering & { of: Route; profiles: Profile[] }) {
  const { of, close, done } = props;
  const [order, setOrder] = useState(of.profiles);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const others = addable(order, props.profiles);
  const change = (next: string[]) => {
    setOrder(next);
    announce(`The order is ${next.join(", ")}`);
  };
  const go = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await api.change(path`/v1/routes/${of.id}`, { profiles: order }, of.revision);
      live.hint();
      done(`The route ${of.name} is ${order.join(", ")}.`);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Confirm title={`Change the route ${of.name}?`} verb="Change" off={order.join("\n") === of.profiles.join("\n")}
             {...{ busy, problem, close }} go={() => void go()}>
      <p>What is posted from now on tries them in this order. What was posted before keeps the profiles its route had.</p>
      <ol>
        {order.map((name, at) => (
          <Step key={name} name={name} at={at} count={order.length} move={(by) => change(moved(order, at, by))}
                remove={() => change(order.filter((each) => each !== name))} />
        ))}
      </ol>
      {others.length > 0 ? (
        <p class="step-others">
          {others.map((name) => <button key={name} type="button" onClick={() => change([...order, name])}>Add {name}</button>)}
        </p>
      ) : null}
    </Confirm>
  );
}
