/** Where in the page somebody is; each has an address of its own. */
export type Place =
  | { page: "delivery"; search: string }
  | { page: "connections" }
  | { page: "rule"; rule: string; status: string }
  | { page: "record"; rule: string; sourceId: string }
  | { page: "nowhere" };

export function placeOf(address: { pathname: string; search: string }): Place {
  const query = new URLSearchParams(address.search);
  const segments = address.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  const [first, rule, third, sourceId] = segments;
  if (first === undefined) return { page: "delivery", search: query.get("q") ?? "" };
  if (first === "connections" && rule === undefined) return { page: "connections" };
  if (first === "rules" && rule !== undefined) {
    if (third === undefined) return { page: "rule", rule, status: query.get("status") ?? "" };
    if (third === "records" && sourceId !== undefined) return { page: "record", rule, sourceId };
  }
  return { page: "nowhere" };
}

export function addressOf(place: Place): string {
  switch (place.page) {
    case "delivery":
      return place.search ? `/?q=${encodeURIComponent(place.search)}` : "/";
    case "connections":
      return "/connections";
    case "rule": {
      const address = `/rules/${encodeURIComponent(place.rule)}`;
      return place.status ? `${address}?status=${encodeURIComponent(place.status)}` : address;
    }
    case "record":
      return `/rules/${encodeURIComponent(place.rule)}/records/${encodeURIComponent(place.sourceId)}`;
    case "nowhere":
      return "/";
  }
}

export function titleOf(place: Place, badge: number): string {
  const titles = {
    delivery: "Delivery",
    connections: "Connections",
    rule: place.page === "rule" ? place.rule : "",
    record: place.page === "record" ? place.sourceId : "",
    nowhere: "Nothing here",
  };
  return `${badge > 0 ? `(${badge}) ` : ""}${titles[place.page]} · Sluice`;
}
