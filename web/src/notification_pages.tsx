import type { Asking } from "./acts";
import { api } from "./api";
import { CallbacksPage, RefusedPage } from "./callbacks";
import { ContactsPage, ContactView } from "./contacts";
import { count } from "./format";
import { KeysPage } from "./keys";
import { useDocument } from "./load";
import { NotificationView } from "./notification";
import type { ReconciliationOverview } from "./notification_documents";
import type { NotificationPlace } from "./notification_places";
import type { Surroundings } from "./notification_words";
import { NotificationsPage } from "./notifications";
import { Link } from "./parts";
import { ProfilesPage } from "./profiles";
import { ReconciliationPage } from "./reconciliation";

const sections: { name: string; to: NotificationPlace; has: NotificationPlace["page"][]; admin?: boolean }[] = [
  { name: "Messages", to: { page: "notifications", state: "", contact: "", before: "" }, has: ["notifications", "notification"] },
  { name: "Contact points", to: { page: "contacts", kind: "", suppressed: "", after: "" }, has: ["contacts", "contact"] },
  { name: "Callbacks", to: { page: "callbacks", progress: "", profile: "", before: "" }, has: ["callbacks", "refused"] },
  { name: "Reconciliation", to: { page: "reconciliation", kind: "", people: "", after: "" }, has: ["reconciliation"] },
  { name: "Profiles and routes", to: { page: "profiles" }, has: ["profiles"] },
  { name: "Keys", to: { page: "keys" }, has: ["keys"], admin: true },
];

function Page(props: Asking & { place: NotificationPlace; around: Surroundings }) {
  const { place, around, begin } = props;
  const { now } = around;
  switch (place.page) {
    case "notifications":
      return <NotificationsPage {...place} around={around} begin={begin} />;
    case "notification":
      return <NotificationView key={place.notification} notification={place.notification} around={around} begin={begin} />;
    case "contacts":
      return <ContactsPage key={place.kind + place.suppressed + place.after} {...place} now={now} />;
    case "contact":
      return <ContactView key={place.contact} contact={place.contact} around={around} begin={begin} />;
    case "callbacks":
      return <CallbacksPage key={`${place.progress} ${place.profile} ${place.before}`} {...place} now={now} begin={begin} />;
    case "refused":
      return <RefusedPage key={`refused ${place.before}`} before={place.before} now={now} begin={begin} />;
    case "reconciliation":
      return <ReconciliationPage {...place} now={now} />;
    case "profiles":
      return <ProfilesPage now={now} begin={begin} />;
    case "keys":
      return <KeysPage />;
  }
}

/** How much waits for a person: nothing else will end it. */
function ForPeople() {
  const { document } = useDocument<ReconciliationOverview>("/v1/reconciliation");
  const many = document?.kinds.reduce((sum, each) => sum + each.for_people, 0) ?? 0;
  return many > 0 ? <span class="badge">{count(many)}<span class="unseen"> for a person</span></span> : null;
}

/** Everything about messages to people, under names of its own. */
export function NotificationPages(props: Asking & { place: NotificationPlace; around: Surroundings }) {
  const { place } = props;
  return (
    <main>
      <nav class="sections" aria-label="Notifications">
        {sections.map((each) => each.admin && !api.isAdmin ? null : (
          <Link key={each.name} to={each.to} current={each.has.includes(place.page)}>
            {each.name}
            {each.to.page === "reconciliation" ? <ForPeople /> : null}
          </Link>
        ))}
      </nav>
      <Page {...props} />
    </main>
  );
}
