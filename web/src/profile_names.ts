import { useDocument } from "./load";
import { shortId } from "./format";
import type { Profile } from "./notification_documents";

export type NameOf = (profile: string | null) => string;

const profilesMax = 1000;

/** What profiles are called by their ids; one that is gone by the end of its id. */
export function useProfileNames(): NameOf {
  const { document } = useDocument<{ profiles: Profile[] }>(`/v1/profiles?limit=${profilesMax}`);
  const names = new Map(document?.profiles.map((each) => [each.id, each.name]));
  return (profile) => (profile === null ? "removed" : (names.get(profile) ?? shortId(profile)));
}
