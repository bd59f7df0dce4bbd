// A Chromium that notices what the page must not do, and how the walks talk with the test that started them.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const { SLUICE_URL: url, SLUICE_TOKEN: token, SLUICE_SHOTS: shots, SLUICE_CHROMIUM: executablePath } = process.env;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Has the test do something to the world, and waits until it is done: what it tells of it. */
export async function world(what) {
  console.log(JSON.stringify({ world: what }));
  const answer = await lines.next();
  return JSON.parse(answer.value);
}

export function tell(measured) {
  console.log(JSON.stringify({ measured }));
}

export function must(holds, what) {
  if (!holds) throw new Error(what);
}

export async function gone(place) {
  await place.waitFor({ state: "detached" });
}

export const phone = { width: 390, height: 844 };

/** On a phone's screen nothing reaches beyond its edge. */
export async function fits(page, where) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  must(width <= phone.width, `${where} is ${width} px wide on a screen of ${phone.width}`);
}

/** Presses Tab until the focus is where it is wanted; it must show on the way. */
export async function tabTo(page, wanted) {
  for (let pressed = 0; pressed < 60; ++pressed) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const { activeElement: at } = document;
      const style = getComputedStyle(at);
      return { text: at.textContent, id: at.id, shows: style.outlineStyle !== "none" && style.outlineWidth !== "0px" };
    });
    if (seen.id === wanted || seen.text === wanted) {
      must(seen.shows, `the focus shows on ${wanted}`);
      return;
    }
  }
  throw new Error(`Tab does not come to ${wanted}`);
}

export class Visit {
  faults = [];

  static async begin() {
    mkdirSync(shots, { recursive: true });
    const visit = new Visit();
    visit.browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--headless=new"] });
    visit.context = await visit.browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
      colorScheme: "light",
    });
    const page = await visit.context.newPage();
    page.setDefaultTimeout(20_000);
    page.on("console", (said) => {
      if (said.type() === "error") visit.faults.push(`the console says: ${said.text()} ${said.location().url}`);
    });
    page.on("pageerror", (error) => visit.faults.push(`the page threw: ${error.stack}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) visit.faults.push(`a request went out: ${request.url()}`);
    });
    visit.page = page;
    return visit;
  }

  async signIn(by = token) {
    await this.page.goto(url);
    await this.page.getByLabel("Token").fill(by);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.getByRole("heading", { name: "Delivery", exact: true }).waitFor();
  }

  async shot(name, fullPage = true) {
    await this.page.screenshot({ path: `${shots}/${name}.png`, fullPage });
  }

  /** No serious fault that axe knows of, as the page is now. */
  async check(where) {
    await this.page.evaluate(axe);
    const found = await this.page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
    for (const fault of found.violations)
      if (fault.impact === "serious" || fault.impact === "critical")
        this.faults.push(`${where}: ${fault.id}, ${fault.help}: ${fault.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
  }

  async end() {
    await this.browser.close();
    must(this.faults.length === 0, this.faults.join("\n"));
  }
}

/** Runs the walk; whatever it meets is in the last picture. */
export async function walk(steps) {
  const visit = await Visit.begin();
  try {
    await steps(visit, visit.page);
  } catch (error) {
    await visit.shot("failed").catch(() => {});
    console.error(visit.faults.join("\n"));
    throw error;
  }
  await visit.end();
  process.exit(0);
}
