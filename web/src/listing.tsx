import type { ComponentChildren } from "preact";
import { words } from "./format";
import { Link } from "./parts";
import type { Place } from "./places";

/** Narrows a list to one of some words; "" is all of it. */
export function Filters(props: {
  label: string; chosen: string; choices: readonly string[]; to: (chosen: string) => Place; name?: (choice: string) => string;
}) {
  const name = props.name ?? words;
  return (
    <ul class="statuses" aria-label={props.label}>
      {["", ...props.choices].map((each) => (
        <li key={each}>
          <Link to={props.to(each)} current={each === props.chosen}>{each ? name(each) : "all"}</Link>
        </li>
      ))}
    </ul>
  );
}

/** The ways to the first page and to the one behind this; neither where there is none. */
export function Pages(props: { first: Place | null; firstIs: string; next: Place | null; nextIs: string }) {
  if (!props.first && !props.next) return null;
  return (
    <p class="pages">
      {props.first ? <Link to={props.first}>{props.firstIs}</Link> : null}
      {props.next ? <Link to={props.next}>{props.nextIs}</Link> : null}
    </p>
  );
}

/** A table that may be wider than the screen, then it is scrolled alone. */
export function Table(props: { label: string; heads: [text: string, numeric?: boolean][]; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.label}>
      <table>
        <thead>
          <tr>{props.heads.map(([text, numeric]) => <th key={text} scope="col" class={numeric ? "numeric" : undefined}>{text}</th>)}</tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}
