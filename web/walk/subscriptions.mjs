// A subscription whose receiver fails: what became of its deliveries, and the acts that mend it.
import { fits, gone, must, phone, tabTo, url, walk, world } from "./browser.mjs";

const dead = 60;
const answer = "the shop is <b>closed</b> until Monday";

function card(page, name) {
  return page.getByRole("article").filter({ has: page.getByRole("link", { name, exact: true }) });
}

function section(page, title) {
  return page.getByRole("region", { name: title, exact: true });
}

async function list(visit, page) {
  await visit.signIn();
  await page.getByRole("link", { name: "Subscriptions" }).click();
  await page.getByRole("heading", { name: "Subscriptions", level: 1 }).waitFor();
  await card(page, "orders").getByText(`${dead} dead deliveries in a row.`).waitFor();
  await card(page, "orders").getByText(/push to 127\.0\.0\.1:\d+ · acme/).waitFor();
  await card(page, "warehouse").getByText("pull: its owner reads").waitFor();
  await visit.shot("20-subscriptions");
  await visit.check("the list of subscriptions");
  await page.getByRole("link", { name: "disabled" }).click();
  await gone(card(page, "orders"));
  await card(page, "closed").getByText("answered that it is gone (410)").waitFor();
  await page.getByRole("link", { name: "all", exact: true }).click();
  await card(page, "orders").getByRole("link").click();
}

async function settings(visit, page) {
  await page.getByRole("heading", { name: "orders", level: 1 }).waitFor();
  await section(page, "Headers").getByText("********").first().waitFor();
  must(!(await page.content()).includes("not for the page"), "a secret header is masked");
  const rows = section(page, "Deliveries").locator("tbody tr");
  await page.getByRole("link", { name: "dead", exact: true }).click();
  await page.getByRole("region", { name: "Deliveries that are dead" }).waitFor();
  must((await rows.count()) === 50, "a page has 50 deliveries");
  await visit.shot("21-a-subscription");
  await visit.check("a subscription");
  await page.getByRole("link", { name: "Older" }).click();
  await page.getByRole("link", { name: "Newest" }).waitFor();
  await page.waitForFunction((left) => document.querySelectorAll("section:last-of-type tbody tr").length === left, dead - 50);
  await page.getByRole("link", { name: "Newest" }).click();
  await page.getByRole("link", { name: "Older" }).waitFor();
  await rows.first().getByRole("link").click();
}

async function delivery(visit, page) {
  const first = page.getByRole("article").filter({ hasText: "Attempt 1" });
  await first.getByText("status 500").waitFor();
  const told = await first.getByRole("region", { name: "Answer to attempt 1" }).textContent();
  must(told === answer, `the answer is shown as the text it is: ${told}`);
  await visit.shot("22-a-delivery");
  await visit.check("a delivery");
  await world("mend");
  await page.getByRole("button", { name: "Retry…" }).click();
  await visit.check("the question of a retry");
  await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
  await page.getByText(/^Pending again: event /).waitFor();
  const third = page.getByRole("article").filter({ hasText: "Attempt 3" });
  await third.getByText("acknowledged").waitFor();
  await third.getByText("status 204").waitFor();
  await visit.shot("23-retried");
  await page.getByRole("link", { name: "orders", exact: true }).click();
}

async function replay(visit, page) {
  await section(page, "Replays").getByText("There was none.").waitFor();
  await section(page, "Replays").getByRole("button", { name: "Replay…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(`${dead - 1} deliveries`).waitFor();
  await dialog.getByLabel("delivered").check();
  await dialog.getByText(`${dead} deliveries`).waitFor();
  for (const state of ["delivered", "failed", "dead"]) await dialog.getByLabel(state, { exact: true }).uncheck();
  await dialog.getByText("A replay needs a beginning and a state.").waitFor();
  must(await dialog.getByRole("button", { name: "Replay" }).isDisabled(), "what is not counted is not replayed");
  await dialog.getByLabel("dead", { exact: true }).check();
  const begin = dialog.getByRole("button", { name: `Replay ${dead - 1}` });
  await begin.waitFor();
  await visit.shot("24-replay");
  await visit.check("the question of a replay");
  await begin.click();
  await page.getByText(`Started a replay of ${dead - 1} deliveries.`).waitFor();
  await page.getByRole("progressbar", { name: "Replay of orders" }).waitFor();
  await section(page, "Replays").getByText(`${dead - 1} / ${dead - 1} (100 %)`).waitFor();
  await section(page, "Replays").getByText("The latest was completed").waitFor();
  await visit.shot("25-replayed");
  await visit.check("a replay");
  await page.getByRole("link", { name: "dead", exact: true }).click();
  await page.getByText("There is none in this state.").waitFor();
}

/** A replay is over before anybody could look: the page is told that this one is not. */
async function cancel(visit, page) {
  let cancelled = 0;
  await page.route(/\/replays\?/, async (route) => {
    const response = await route.fetch();
    const { replays, ...rest } = await response.json();
    const [latest, ...earlier] = replays;
    const unended = { ...latest, done: 20, ending: null, ended_at: null };
    await route.fulfill({ response, json: { ...rest, replays: cancelled ? replays : [unended, ...earlier] } });
  });
  await page.route(/\/replays\/[^/]+\/cancel$/, async (route) => {
    cancelled += 1;
    await route.fulfill({ status: 200, json: {} });
  });
  const replays = section(page, "Replays");
  await replays.getByText("20 / 59 (33 %)").waitFor();
  must((await replays.getByRole("progressbar").getAttribute("value")) === "33", "the bar shows how far it is");
  await gone(replays.getByRole("button", { name: "Replay…" }));
  await visit.shot("25b-a-replay-in-progress");
  await replays.getByRole("button", { name: "Cancel…" }).click();
  await visit.check("the question of a cancel");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the replay" }).click();
  await page.getByText("Cancelled the replay of orders.").waitFor();
  await replays.getByText("The latest was completed").waitFor();
  must(cancelled === 1, "it was cancelled once");
  await page.unrouteAll({ behavior: "wait" });
}

async function statuses(visit, page) {
  await page.getByRole("button", { name: "Pause…" }).click();
  const dialog = page.getByRole("dialog");
  must(await dialog.getByRole("button", { name: "Pause" }).isDisabled(), "a pause takes a reason");
  await dialog.getByLabel("Reason").fill("its receiver moves");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await page.getByText("its receiver moves").waitFor();
  await page.getByRole("button", { name: "Test event…" }).click();
  await dialog.getByText("It waits: the subscription is paused.").waitFor();
  await dialog.getByRole("button", { name: "Send" }).click();
  await page.getByRole("link", { name: "pending", exact: true }).click();
  await page.getByRole("cell", { name: "sluice.test" }).waitFor();
  await visit.shot("26-paused");
  await visit.check("a paused subscription");
  await page.getByRole("button", { name: "Resume…" }).click();
  await dialog.getByRole("button", { name: "Resume" }).click();
  await page.getByText("There is none in this state.").waitFor();
  await page.getByRole("link", { name: "delivered", exact: true }).click();
  await page.getByRole("cell", { name: "sluice.test" }).waitFor();
}

async function keyboard(page) {
  await page.goto(`${url}subscriptions`);
  await card(page, "closed").waitFor();
  await tabTo(page, "closed");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "closed", level: 1 }).waitFor();
  await tabTo(page, "Enable…");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, "Enable");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.textContent === "Disable…"); // the focus stayed where it was
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.tagName === "INPUT");
  await page.keyboard.type("it is closed");
  await page.keyboard.press("Enter");
  await page.getByText("it is closed").waitFor();
}

/** Everything of it once more in the dark and on a phone. */
async function looks(visit, page) {
  await page.goto(`${url}subscriptions`);
  await card(page, "orders").getByRole("link").click();
  const link = section(page, "Deliveries").locator("tbody tr").last().getByRole("link");
  const places = [`${url}subscriptions`, page.url(), new URL(await link.getAttribute("href"), url).href];
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [number, place] of places.entries()) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(place);
    await page.getByRole("article").first().waitFor();
    await visit.shot(`27-dark-${number}`);
    await visit.check(`${place} in the dark`);
    await page.setViewportSize(phone);
    await fits(page, place);
    await visit.shot(`28-narrow-${number}`);
    await visit.check(`${place} on a phone`);
  }
  await page.goto(places[1]);
  await page.getByRole("button", { name: "Replay…" }).click();
  await page.getByRole("dialog").getByText("There is no such delivery in this window.").waitFor();
  await fits(page, "the question of a replay");
  await visit.shot("29-narrow-replay");
  await page.keyboard.press("Escape");
}

/** Who may only look is shown no act. */
async function viewer(visit, page) {
  const { token } = await world("viewer");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
  await visit.signIn(token);
  await page.getByRole("link", { name: "Subscriptions" }).click();
  await card(page, "orders").getByRole("link").click();
  await section(page, "Replays").getByText("The latest was completed").waitFor();
  const acts = page.getByRole("button", { name: "…" });
  must((await acts.count()) === 0, "a viewer is shown no act on a subscription");
  await section(page, "Deliveries").locator("tbody tr").last().getByRole("link").click();
  await page.getByRole("article").first().waitFor();
  must((await acts.count()) === 0, "a viewer is shown no act on a delivery");
}

await walk(async (visit, page) => {
  await list(visit, page);
  await settings(visit, page);
  await delivery(visit, page);
  await replay(visit, page);
  await cancel(visit, page);
  await statuses(visit, page);
  await keyboard(page);
  await looks(visit, page);
  await viewer(visit, page);
});
