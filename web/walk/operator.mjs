// What an operator does on a bad day, in the order of the Delivery page.
import { fits, gone, must, phone, tabTo, tell, token, walk, world } from "./browser.mjs";

function group(page, title) {
  return page.getByRole("region", { name: new RegExp(`^${title}`) });
}

function card(page, title, name) {
  return group(page, title).getByRole("article").filter({ hasText: name });
}

const unwell = "Not delivering, no stop";
const stopped = "Stopped by people";
const held = "Held by the volume breaker";

async function signIn(visit, page) {
  await page.goto(process.env.SLUICE_URL);
  await page.getByLabel("Token").waitFor();
  await visit.shot("1-sign-in");
  await visit.check("sign-in");
  await page.getByLabel("Token").fill(token);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Delivery", exact: true }).waitFor();
}

async function failStopResume(visit, page) {
  await card(page, unwell, "newsletter").getByText("failing", { exact: true }).waitFor();
  must((await page.title()).startsWith("(1) Delivery"), `the badge is in the title: ${await page.title()}`);
  await visit.shot("2-a-rule-fails");
  await visit.check("a failing rule");
  await card(page, unwell, "newsletter").getByRole("button", { name: "Stop…" }).click();
  const dialog = page.getByRole("dialog");
  must(await dialog.getByRole("button", { name: "Stop" }).isDisabled(), "a stop takes a reason");
  await dialog.getByLabel("Reason").fill("the target is being moved");
  await visit.shot("3-stop");
  await visit.check("the question of a stop");
  await dialog.getByRole("button", { name: "Stop" }).click();
  await card(page, stopped, "newsletter").getByText("the target is being moved").waitFor();
  await gone(card(page, unwell, "newsletter"));
  await visit.shot("4-stopped");
  await card(page, stopped, "newsletter").getByRole("button", { name: "Resume…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await card(page, unwell, "newsletter").waitFor();
}

async function holdAndRelease(visit, page) {
  await world("delete");
  const asked = Date.now();
  await card(page, held, "customers").getByText("100 withdrawals wait").waitFor();
  tell({ "a hold showed after ms": Date.now() - asked });
  await visit.shot("5-a-hold");
  await visit.check("a hold");
  await card(page, held, "customers").getByRole("button", { name: "Release…" }).click();
  await page.getByRole("dialog").getByText("100 records").waitFor();
  await visit.shot("6-release");
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw 100" }).click();
  await gone(group(page, held));
}

async function backfill(visit, page) {
  await page.goto(`${process.env.SLUICE_URL}rules/customers`);
  await page.getByRole("link", { name: "100 withdrawn" }).waitFor();
  await visit.shot("7-rule");
  await visit.check("the rule page");
  await page.getByRole("button", { name: "Stop…" }).click();
  await page.getByLabel("Reason").fill("until the backfill is counted");
  await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
  await page.getByRole("heading", { name: "Stopped" }).waitFor();
  await world("import");
  await page.getByRole("region", { name: "Backfill" }).getByRole("button", { name: "Start…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/type the number of creates, 40/).waitFor();
  await dialog.getByLabel("Send again what the target already has").check();
  await dialog.getByText("200", { exact: true }).waitFor();
  const start = dialog.getByRole("button", { name: "Start" });
  must(await start.isDisabled(), "the count is confirmed by typing it");
  await dialog.getByLabel(/type the number/).fill("40");
  await visit.shot("8-backfill");
  await visit.check("the question of a backfill");
  await start.click();
  await page.getByText("Started a backfill of customers.").waitFor();
  await page.getByRole("link", { name: "Delivery", exact: false }).first().click();
  await card(page, stopped, "customers").getByRole("button", { name: "Resume…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  const bar = group(page, "Backfills in progress").getByRole("progressbar", { name: "Backfill of customers" });
  await bar.waitFor();
  await visit.shot("9-a-backfill");
  await visit.check("a backfill in progress");
  await gone(bar);
}

async function search(visit, page) {
  await card(page, unwell, "newsletter").locator("summary").click();
  const tenant = group(page, unwell).getByRole("heading", { name: "bolt" }).getByRole("button");
  await tenant.click();
  await group(page, unwell).getByRole("heading", { name: "bolt" }).getByText("Copied", { exact: true }).waitFor();
  const id = await page.evaluate(() => navigator.clipboard.readText());
  must(/^[0-9a-f-]{36}$/.test(id), `the whole id was copied: ${id}`);
  await visit.shot("10-copied");
  await page.getByRole("searchbox").fill(id.slice(-8));
  await page.waitForURL(/\?q=/);
  await card(page, unwell, "newsletter").waitFor();
  await page.getByRole("searchbox").fill("acme");
  await group(page, "Other rules found").getByRole("link", { name: "customers" }).waitFor();
  await gone(group(page, unwell));
  await visit.shot("11-a-rule-that-is-well");
  await page.getByRole("searchbox").fill("nobody");
  await page.getByText("Nothing matches the search.").waitFor();
  await visit.shot("11b-nothing-matches");
  await page.getByRole("searchbox").fill("");
  await card(page, unwell, "newsletter").waitFor();
}

async function record(visit, page) {
  await page.goto(`${process.env.SLUICE_URL}rules/customers?status=delivered`);
  await page.getByRole("link", { name: "r-00120" }).click();
  await page.getByRole("heading", { name: "r-00120" }).waitFor();
  await page.getByRole("heading", { name: "History" }).waitFor();
  await visit.shot("12-record");
  await visit.check("the record page");
  await page.getByRole("link", { name: "Connections" }).click();
  await page.getByRole("heading", { name: "bolt-mailer" }).waitFor();
  await visit.shot("13-connections");
  await visit.check("the connections page");
  await page.getByRole("link", { name: /^Delivery/ }).click();
  await card(page, unwell, "newsletter").waitFor();
}

async function dark(visit, page) {
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await page.emulateMedia({ colorScheme: "dark" });
  const bySystem = await colour();
  must(light !== bySystem, "the page follows the system");
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Colours: Auto" }).click();
  await page.getByRole("button", { name: "Colours: Light" }).click();
  must((await colour()) === bySystem, "the switch makes it dark");
  await visit.shot("14-dark");
  await visit.check("in the dark");
  await page.goto(`${process.env.SLUICE_URL}rules/customers`);
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  await visit.shot("15-rule-dark");
  await visit.check("the rule page in the dark");
  await page.getByRole("button", { name: "Colours: Dark" }).click();
  must((await colour()) === light, "and follows the system again");
  await page.getByRole("link", { name: /^Delivery/ }).click();
}

async function keyboard(visit, page) {
  await card(page, unwell, "newsletter").waitFor();
  await page.keyboard.press("/");
  must((await page.evaluate(() => document.activeElement.id)) === "search", "a slash goes to the search");
  await page.keyboard.press("Escape");
  await page.reload();
  await card(page, unwell, "newsletter").waitFor();
  await tabTo(page, "search");
  await tabTo(page, "Stop…");
  await visit.shot("16-focus");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.waitForFunction(() => document.activeElement.tagName === "INPUT");
  await page.keyboard.press("Escape");
  await gone(page.locator("dialog"));
  must((await page.evaluate(() => document.activeElement.textContent)) === "Stop…", "the focus comes back");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.tagName === "INPUT");
  await page.keyboard.type("by keyboard alone");
  await page.keyboard.press("Enter");
  await card(page, stopped, "newsletter").getByText("by keyboard alone").waitFor();
  await tabTo(page, "Resume…");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, "Resume");
  await page.keyboard.press("Enter");
  await card(page, unwell, "newsletter").waitFor();
}

async function narrow(visit, page) {
  await page.setViewportSize(phone);
  await fits(page, "the Delivery page");
  await visit.shot("17-narrow");
  await visit.check("a narrow screen");
  await card(page, unwell, "newsletter").getByRole("button", { name: "Stop…" }).click();
  await visit.shot("18-narrow-question");
  await fits(page, "a question");
  await page.keyboard.press("Escape");
  for (const place of ["rules/customers", "rules/customers/records/r-00120", "connections"]) {
    await page.goto(process.env.SLUICE_URL + place);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("load");
    await fits(page, place);
    await visit.shot(`19-narrow-${place.replaceAll("/", "-")}`);
  }
}

await walk(async (visit, page) => {
  await signIn(visit, page);
  await failStopResume(visit, page);
  await holdAndRelease(visit, page);
  await backfill(visit, page);
  await search(visit, page);
  await record(visit, page);
  await dark(visit, page);
  await keyboard(visit, page);
  await narrow(visit, page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
});
