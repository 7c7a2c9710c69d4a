/** States of every view that are worth looking at. */
import type { Page } from "playwright-core";
import { BEND, stroke } from "./acts";

export interface Scene {
  readonly name: string;
  readonly hash: string;
  /** Brings the view into a state worth looking at. */
  readonly settle: (page: Page) => Promise<void>;
}

export const first = (page: Page, selector: string) => page.locator(selector).first().waitFor();

export const SCENES: readonly Scene[] = [
  { name: "library", hash: "library", settle: (page) => first(page, ".tl-item") },
  {
    name: "contacts",
    hash: "library",
    settle: async (page) => {
      await page.getByRole("tab", { name: "Contacts" }).click();
      await first(page, "#panel-contacts .tl-item");
    },
  },
  { name: "account", hash: "graph?tab=account", settle: (page) => first(page, "#panel-account .share") },
  { name: "thresholds", hash: "graph?tab=thresholds", settle: (page) => first(page, ".live-row") },
  {
    name: "distances",
    hash: "graph?tab=distances",
    settle: async (page) => {
      await first(page, ".tally-item");
      await page.getByRole("application", { name: /^Distance map/ }).focus();
      await page.keyboard.press("ArrowRight");
      await page.getByText("Why:").waitFor();
    },
  },
  {
    name: "side-by-side",
    hash: "graph?tab=distances",
    settle: async (page) => {
      await first(page, ".inspector .contact-bar");
      await page.getByRole("radio", { name: "Side by side" }).check();
      await first(page, ".stage-label");
    },
  },
  { name: "map", hash: "graph?tab=drawing", settle: (page) => first(page, ".way-node") },
  { name: "map-clips", hash: "/graph/drawing?from=walk&to=walk", settle: (page) => first(page, ".way-node") },
  {
    name: "lanes",
    hash: "/graph/drawing?lanes=all",
    settle: async (page) => {
      await page.getByText(/^[\d,]+ arcs/).waitFor();
      await page.locator("#panel-drawing canvas").first().focus();
      await page.keyboard.press("n");
      await page.getByText("Why:").waitFor();
    },
  },
  {
    name: "make",
    hash: "make",
    settle: async (page) => {
      const plan = page.getByRole("application", { name: /^Floor plan/ });
      await plan.waitFor();
      await page.getByRole("button", { name: /^Draw freehand \(/ }).click();
      await stroke(page, plan, BEND);
      await page.getByRole("button", { name: "Synthesize" }).click();
      await page.getByRole("heading", { name: "Take home" }).waitFor();
    },
  },
  {
    name: "options",
    hash: "make",
    settle: async (page) => {
      await page.getByRole("tab", { name: "Options" }).click();
    },
  },
  {
    name: "results",
    hash: "make?tab=results",
    settle: (page) => page.getByRole("tab", { name: "Results", selected: true }).waitFor(),
  },
  {
    name: "new-label",
    hash: "library",
    settle: async (page) => {
      await first(page, ".tl-item");
      await page.getByRole("button", { name: "Add label" }).click();
      await page.getByRole("dialog", { name: "Add a label" }).waitFor();
    },
  },
  { name: "nowhere", hash: "/nowhere", settle: (page) => page.getByText("There is nothing at this address").waitFor() },
  {
    name: "keys",
    hash: "library",
    settle: async (page) => {
      await first(page, ".clip-card");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
    },
  },
];
