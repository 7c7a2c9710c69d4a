/** A real Chromium, and a watch over everything a page does that it should not. */
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium, type Browser, type BrowserContext, type ConsoleMessage, type Page } from "playwright-core";
import { REPOSITORY } from "./server";

/** Whether pictures are taken that nobody asserts anything of: the one test command leaves them out, for drawing in software takes its time. */
export const PICTURING = process.env["STUDIO_QUICK"] !== "1" || process.env["STUDIO_PICTURES"] !== undefined;

/** Where pictures of failures and of both themes go. */
export const PICTURES = resolve(REPOSITORY, process.env["STUDIO_PICTURES"] ?? "target/studio-e2e");

export async function launch(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  if (!existsSync(executablePath))
    throw new Error(
      `there is no ${executablePath}: apt-get install chromium fonts-dejavu-core, or name a browser with CHROMIUM`,
    );
  return chromium.launch({
    executablePath,
    args: [
      // Tests run as root in containers, and draw without a graphics card.
      "--no-sandbox",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      // The page itself is put together without GL, which takes half the time where GL is software; what is measured or pictured is not.
      ...(process.env["STUDIO_RUN"] === undefined ? ["--disable-gpu-compositing"] : []),
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--autoplay-policy=no-user-gesture-required",
    ],
  });
}

export type Theme = "light" | "dark";

export interface TabOptions {
  /** The address after `#`. */
  hash?: string;
  theme?: Theme;
  width?: number;
  height?: number;
  scale?: number;
  /** Lets clips play by themselves. */
  moving?: boolean;
  /** A second tab of the same browser profile. */
  with?: Tab;
  /** Solves the path whenever a drag ends; else only when asked to, so that a test knows what was made. */
  live?: boolean;
}

/** One page, with what went wrong on it. */
export class Tab {
  readonly problems: string[] = [];
  private allowed: RegExp[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    private readonly origin: string,
    private readonly owns: boolean,
  ) {}

  static async open(browser: Browser, url: string, options: TabOptions = {}): Promise<Tab> {
    const context =
      options.with?.context ??
      (await browser.newContext({
        viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
        deviceScaleFactor: options.scale ?? 1,
        colorScheme: options.theme ?? "light",
        // A figure that plays by itself never holds still while a test looks at it.
        reducedMotion: options.moving ? "no-preference" : "reduce",
        acceptDownloads: true,
      }));
    const page = await context.newPage();
    if (!options.live && !options.with) await context.addInitScript(() => localStorage.setItem("gaitway.live", "off"));
    page.setDefaultTimeout(120_000);
    const tab = new Tab(page, context, new URL(url).origin, options.with === undefined);
    tab.watch();
    await page.goto(`${url}${options.hash ? `#${options.hash}` : ""}`);
    return tab;
  }

  /** Complaints that the test brings about on purpose. */
  expectProblems(...patterns: RegExp[]): void {
    this.allowed.push(...patterns);
  }

  get unexpected(): string[] {
    return this.problems.filter((text) => !this.allowed.some((pattern) => pattern.test(text)));
  }

  async goTo(hash: string): Promise<void> {
    await this.page.evaluate((value) => (location.hash = value), hash);
  }

  /** A picture to look at; `always`, of a failure. */
  async picture(name: string, always = false): Promise<void> {
    if (!PICTURING && !always) return;
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name.replace(/[^\w.-]+/g, "-")}.png`) });
  }

  async close(): Promise<void> {
    await this.page.close();
    if (this.owns) await this.context.close();
  }

  private watch(): void {
    const { page } = this;
    const say = (text: string) => this.problems.push(text);
    page.on("pageerror", (error) => say(`uncaught: ${error.stack ?? error.message}`));
    // Violations of the content policy arrive here too, as errors of the console.
    page.on(
      "console",
      (message) => isBad(message) && say(`console ${message.type()}: ${message.text()} (${message.location().url})`),
    );
    page.on("crash", () => say("the page crashed"));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith("http") && url.origin !== this.origin)
        say(`request to another host: ${request.url()}`);
    });
    page.on(
      "response",
      (answer) =>
        answer.status() >= 400 &&
        say(`answer ${answer.status()}: ${answer.request().method()} ${new URL(answer.url()).pathname}`),
    );
  }
}

function isBad(message: ConsoleMessage): boolean {
  // Told by the browser about its own software drawing, not by us.
  if (/GPU stall due to ReadPixels|GL Driver Message/.test(message.text())) return false;
  // The answer itself is recorded with its path; this line only repeats its status.
  if (message.text().startsWith("Failed to load resource: the server responded")) return false;
  return message.type() === "error" || message.type() === "warning";
}
