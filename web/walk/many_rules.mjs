// How soon the Delivery page of a large installation is there.
import { tell, walk } from "./browser.mjs";

await walk(async (visit, page) => {
  await visit.signIn();
  await page.getByText("Global delivery").waitFor();
  await page.reload();
  await page.getByText("Global delivery").waitFor();
  const timing = await page.evaluate(() => ({
    "first paint ms": Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime),
    "with the cards ms": Math.round(performance.now()),
    "answer ms": Math.round(performance.getEntriesByType("resource").find((each) => each.name.includes("/v1/delivery"))?.duration ?? -1),
  }));
  tell(timing);
  await visit.shot("many-rules", false);
});
