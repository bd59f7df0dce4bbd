// Messages to people on a bad day: why they do not move, what became of the others, and what a person does about it.
import { fits, gone, must, phone, tabTo, url, walk, world } from "./browser.mjs";

const canary = "canary-";

function card(page, id) {
  return page.getByRole("article").filter({ has: page.getByRole("link", { name: id.slice(-8), exact: true }) });
}

function sections(page) {
  return page.getByRole("navigation", { name: "Notifications" });
}

/** No address is anywhere in the page. */
async function sealed(page, where) {
  must(!(await page.content()).includes(canary), `${where} shows an address`);
}

async function list(visit, page, ids) {
  await visit.signIn();
  await page.getByRole("link", { name: "Notifications", exact: true }).click();
  await page.getByRole("heading", { name: "Notifications", level: 1 }).waitFor();
  await card(page, ids.waits).getByText(/After attempt 1 \(the receiver answered 429\) it is sent by busy in \d+ (h|min)/).waitFor();
  for (const doubt of ids.doubts)
    await card(page, doubt).getByText("this provider cannot be asked, so only a person can find out").waitFor();
  await page.getByText("took it and later reported: delivered").waitFor();
  await page.getByText("took it and later reported: complained").waitFor();
  await page.getByText("Nothing was sent: the contact point is suppressed: complaint.").waitFor();
  await sections(page).getByRole("link", { name: "Reconciliation 2 for a person" }).waitFor();
  await sealed(page, "the list");
  await visit.shot("30-notifications");
  await visit.check("the list of notifications");
  await page.getByRole("link", { name: "ambiguous", exact: true }).click();
  await gone(card(page, ids.waits));
  await page.getByRole("link", { name: "expired", exact: true }).click();
  await page.getByText("There is none that is expired.").waitFor();
  await visit.shot("31-none");
}

async function reconciliation(visit, page, ids) {
  await sections(page).getByRole("link", { name: "Reconciliation" }).click();
  await page.getByRole("link", { name: /Ambiguous submissions 2/ }).getByText("2 for a person").waitFor();
  const rows = page.getByRole("region", { name: "Ambiguous submissions" }).locator("tbody tr");
  for (const doubt of ids.doubts) await rows.filter({ hasText: doubt.slice(-8) }).getByText("for a person").waitFor();
  await visit.shot("32-reconciliation");
  await visit.check("what is left");
  await page.getByRole("link", { name: /Unmatched events 1/ }).click();
  await page.getByRole("cell", { name: "of-somebody-else" }).waitFor();
  await visit.check("unmatched events");
  await page.getByRole("link", { name: /Overdue callbacks/ }).click();
  await page.getByText("No provider owes a word about a message.").waitFor();
  await page.getByRole("link", { name: /Past their lease/ }).click();
  await page.getByText("No attempt is past its lease.").waitFor();
  await page.getByRole("link", { name: /Unknown creates/ }).click();
  await page.getByText("Of every create it is known whether it was made.").waitFor();
  await page.getByRole("link", { name: /Ambiguous submissions/ }).click();
  await rows.filter({ hasText: ids.doubts[0].slice(-8) }).getByRole("link").click();
}

async function settle(visit, page, ids) {
  const dialog = page.getByRole("dialog");
  await page.getByRole("heading", { name: ids.doubts[0], level: 1 }).waitFor();
  await page.getByText("Look for it on the provider's own pages").waitFor();
  await page.getByRole("article").getByText("the receiver answered 500").waitFor();
  await sealed(page, "a notification");
  await visit.shot("33-an-ambiguous-one");
  await visit.check("an ambiguous notification");
  await world("mend");
  await page.getByRole("button", { name: "It was not sent…" }).click();
  const again = dialog.getByRole("button", { name: "Send it again" });
  await dialog.getByText("gets the message twice").waitFor();
  must(await again.isDisabled(), "a settlement is typed");
  await dialog.getByLabel(/type “not sent”/).fill("accepted");
  must(await again.isDisabled(), "the other word does not do");
  await dialog.getByLabel(/type “not sent”/).fill("not sent");
  await visit.shot("34-settle");
  await visit.check("the question of a settlement");
  await again.click();
  await page.getByText(`Settled as not sent: notification ${ids.doubts[0].slice(-8)}.`).waitFor();
  await page.getByRole("article").filter({ hasText: "Attempt 2" }).getByText("The provider took it.").waitFor();
  await page.getByText("doubt took it; whether it arrived is not known yet.").waitFor();
  await visit.shot("35-sent-again");
  await page.goto(`${url}notifications/${ids.doubts[1]}`);
  await page.getByRole("button", { name: "It was accepted…" }).click();
  await dialog.getByLabel(/The provider's id/).fill("their-9");
  await dialog.getByLabel(/How it was found out/).fill("their page shows it");
  await dialog.getByLabel(/type “accepted”/).fill("accepted");
  await dialog.getByRole("button", { name: "It was accepted" }).click();
  await page.getByText("their-9").waitFor();
}

/** One account is stopped: what is for it says so, and nothing else waits. */
async function stop(visit, page, ids) {
  const dialog = page.getByRole("dialog");
  const busy = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "busy", exact: true }) });
  await page.goto(`${url}profiles`);
  await busy.getByRole("button", { name: "Stop…" }).click();
  await dialog.getByText("does not fall back to another profile").waitFor();
  await dialog.getByLabel("Reason").fill("the account is audited");
  await visit.check("the question of a profile's stop");
  await dialog.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText("Stopped messages by busy.").waitFor();
  await busy.getByText("the account is audited").waitFor();
  await visit.shot("36-a-profile-stopped");
  await visit.check("a profile that is stopped");
  await page.goto(`${url}notifications/${ids.waits}`);
  await page.getByText(/It waits until a stop ends; busy is stopped by .+: the account is audited\./).waitFor();
  await page.goto(`${url}profiles`);
  await busy.getByRole("button", { name: "Resume…" }).click();
  await dialog.getByRole("button", { name: "Resume" }).click();
  await page.getByText("Resumed messages by busy.").waitFor();
  await busy.getByRole("button", { name: "Stop…" }).waitFor();
}

async function cancel(visit, page, ids) {
  await page.goto(`${url}notifications/${ids.waits}`);
  await page.getByRole("button", { name: "Cancel…" }).click();
  await page.getByLabel(/Why, for the audit/).fill("sent by mistake");
  await visit.check("the question of a cancellation");
  await page.getByRole("button", { name: "Do not send it" }).click();
  await page.getByText("A person withdrew it before it was sent.").waitFor();
  await gone(page.getByRole("button", { name: "Cancel…" }));
}

async function contacts(visit, page, ids) {
  const dialog = page.getByRole("dialog");
  await sections(page).getByRole("link", { name: "Contact points" }).click();
  await page.getByRole("cell", { name: "Phone number sealed" }).waitFor();
  await sealed(page, "the list of contact points");
  await visit.shot("37-contact-points");
  await visit.check("contact points");
  await page.getByRole("link", { name: "suppressed", exact: true }).click();
  await gone(page.getByRole("cell", { name: "Phone number sealed" }));
  await page.getByRole("link", { name: ids.bob.slice(-8) }).click();
  await page.getByText("Whoever it belongs to complained.").waitFor();
  await page.getByText("Nothing was sent: the contact point is suppressed").waitFor();
  await visit.shot("38-a-contact-point");
  await visit.check("a suppressed contact point");
  await page.getByRole("button", { name: "Reveal…" }).click();
  await dialog.getByText("The audit keeps").waitFor();
  await dialog.getByRole("button", { name: "Reveal" }).click();
  await dialog.getByText("canary-bob@example.com").waitFor();
  await visit.shot("39-revealed");
  await visit.check("an address that was revealed");
  await dialog.getByRole("button", { name: "Close" }).click();
  await gone(dialog);
  await sealed(page, "a contact point whose address was revealed");
  await page.getByRole("button", { name: "Lift…" }).click();
  await dialog.getByText("Sending to somebody who complained").waitFor();
  must(await dialog.getByRole("button", { name: "Lift" }).isDisabled(), "a lifting takes a reason");
  await dialog.getByLabel(/Why/).fill("they asked for it again");
  await visit.check("the question of a lifting");
  await dialog.getByRole("button", { name: "Lift" }).click();
  await page.getByText("Lifted: it may be sent to again.").waitFor();
  await page.getByRole("button", { name: "Suppress…" }).click();
  await dialog.getByLabel(/Why/).fill("they changed their mind");
  await dialog.getByRole("button", { name: "Suppress" }).click();
  await page.getByText("A person suppressed it.").waitFor();
}

async function callbacks(visit, page) {
  await sections(page).getByRole("link", { name: "Callbacks" }).click();
  const table = page.getByRole("region", { name: "What providers told" });
  await table.getByText("of-somebody-else").waitFor();
  await visit.shot("40-callbacks");
  await visit.check("callbacks");
  await page.getByRole("link", { name: "duplicate", exact: true }).click();
  await page.getByText("They are kept, and change nothing.").waitFor();
  await page.getByRole("link", { name: "unmatched", exact: true }).click();
  await table.getByText("of-somebody-else").waitFor();
  must((await table.locator("tbody tr").count()) === 1, "one is unmatched");
  await visit.shot("41-unmatched");
  await page.getByRole("link", { name: "refused", exact: true }).click();
  await page.getByRole("cell", { name: "127.0.0.1" }).waitFor();
  await page.getByText("no signature is by a key of this profile").waitFor();
  await visit.shot("42-refused");
  await visit.check("refused callbacks");
  await page.getByRole("link", { name: "all", exact: true }).click();
  await page.getByRole("button", { name: "Replay…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
  await page.getByText("Made anew what became of 2 attempts.").waitFor();
}

async function routes(visit, page) {
  await sections(page).getByRole("link", { name: "Profiles and routes" }).click();
  const news = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "news" }) });
  await news.getByText("first doubt").waitFor();
  await visit.shot("43-profiles");
  await visit.check("profiles and routes");
  await news.getByRole("button", { name: "Change order…" }).click();
  const dialog = page.getByRole("dialog");
  must(await dialog.getByRole("button", { name: "Change", exact: true }).isDisabled(), "nothing is changed yet");
  await dialog.getByRole("button", { name: "Up mail" }).click();
  await dialog.getByRole("button", { name: "Take out doubt" }).click();
  await dialog.getByRole("button", { name: "Add busy" }).click();
  await visit.shot("44-change-a-route");
  await visit.check("the question of a route");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await news.getByText("then busy").waitFor();
  await page.getByText("Settings").first().click();
  await page.getByText(/\/v1\/callbacks\//).first().waitFor();
  must(!(await page.content()).includes("whsec_"), "no credential is shown");
}

async function keys(visit, page) {
  await sections(page).getByRole("link", { name: "Keys" }).click();
  const old = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "test" }) });
  await old.getByText("Still needed to read 4 addresses and 4 profiles' credentials.").waitFor();
  await visit.shot("45-keys");
  await visit.check("keys");
}

async function keyboard(page, ids) {
  await page.goto(`${url}notifications?state=accepted`);
  await card(page, ids.doubts[0]).waitFor();
  await tabTo(page, ids.doubts[0].slice(-8));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: ids.doubts[0], level: 1 }).waitFor();
  await tabTo(page, "Contact points");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Contact points", level: 1 }).waitFor();
}

/** Everything once more in the dark and on a phone. */
async function looks(visit, page, ids) {
  const places = ["notifications", `notifications/${ids.doubts[0]}`, "contacts", `contacts/${ids.bob}`, "callbacks", "callbacks/refused",
                  "reconciliation", "profiles", "keys"];
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [number, place] of places.entries()) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(url + place);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("article, table, .notice").first().waitFor();
    await visit.shot(`46-dark-${number}`);
    await visit.check(`${place} in the dark`);
    await page.setViewportSize(phone);
    await fits(page, place);
    await visit.shot(`47-narrow-${number}`);
    await visit.check(`${place} on a phone`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** Who may only look is shown no act and nothing that is an admin's. */
async function viewer(visit, page, ids) {
  const { token } = await world("viewer");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
  await visit.signIn(token);
  const acts = page.getByRole("button", { name: "…" });
  for (const place of [`notifications/${ids.doubts[0]}`, `contacts/${ids.bob}`, "callbacks", "profiles"]) {
    await page.goto(url + place);
    await page.locator("article, table").first().waitFor();
    must((await acts.count()) === 0, `a viewer is shown no act on ${place}`);
  }
  must((await sections(page).getByRole("link", { name: "Keys" }).count()) === 0, "a viewer is not led to the keys");
  await page.goto(`${url}keys`);
  await page.getByText("Keys are an admin's").waitFor();
}

await walk(async (visit, page) => {
  const ids = await world("ids");
  await list(visit, page, ids);
  await reconciliation(visit, page, ids);
  await settle(visit, page, ids);
  await stop(visit, page, ids);
  await cancel(visit, page, ids);
  await contacts(visit, page, ids);
  await callbacks(visit, page);
  await routes(visit, page);
  await keys(visit, page);
  await keyboard(page, ids);
  await looks(visit, page, ids);
  await viewer(visit, page, ids);
});
