/** The address with those values that say something. */
export function asking(address: string, values: Record<string, string>): string {
  const said = Object.entries(values).filter(([, value]) => value);
  return address + said.map(([name, value], at) => `${at ? "&" : "?"}${name}=${encodeURIComponent(value)}`).join("");
}
