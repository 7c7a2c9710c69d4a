/**
 * A real `gaitway studio` on a project folder of its own, and a real Chromium that looks at it.
 * GAITWAY: the program (default target/debug/gaitway of this repository). CHROMIUM: the browser.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { expect } from "vitest";

const PROGRAM = process.env["GAITWAY"] ?? new URL("../../target/debug/gaitway", import.meta.url).pathname;
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Software rendering, and no word to anybody. */
const FLAGS = [
  "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--no-first-run",
];

export interface Studio {
  url: string;
  project: string;
  browser: Browser;
  /** A new tab; it fails the test when the page throws or asks another host for anything. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** The server's JSON. */
  api<T>(path: string): Promise<T>;
  stop(): Promise<void>;
}

export async function startStudio(inputs: readonly string[] = []): Promise<Studio> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: build it, or name it in GAITWAY`);
  const folder = mkdtempSync(join(tmpdir(), "gaitway-studio-"));
  const project = join(folder, "project");
  const server = spawn(PROGRAM, ["studio", ...inputs, "--project", project, "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  const url = await addressOf(server);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const troubles: string[] = [];
  return {
    url, project, browser,
    open: async (path = "", options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, ...options });
      const page = await context.newPage();
      page.on("pageerror", (error) => troubles.push(error.message));
      page.on("request", (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith("blob:")) troubles.push(`asked for ${request.url()}`);
      });
      page.on("console", (message) => {
        if (/Content Security Policy/i.test(message.text())) troubles.push(message.text());
      });
      await page.goto(url + path);
      return page;
    },
    api: async <T>(path: string) => (await (await fetch(url + path)).json()) as T,
    stop: async () => {
      await browser.close();
      await ended(server);
      rmSync(folder, { recursive: true, force: true });
      expect(troubles).toEqual([]);
    },
  };
}

/** The first line says where it is. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let complaint = "";
    server.stderr?.on("data", (text: Buffer) => (complaint += text.toString()));
    server.on("exit", (code) => reject(new Error(`the studio ended with ${code}: ${complaint}`)));
    createInterface({ input: server.stdout! }).on("line", (line) => {
      const found = /studio at (http:\/\/\S+?)\/?$/.exec(line);
      if (found) resolve(found[1]!);
    });
  });
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.removeAllListeners("exit");
    server.on("exit", () => resolve());
    server.kill("SIGTERM");
  });
}

/** How many different colours the canvas shows: an empty one has a single one. */
export async function coloursOf(page: Page, selector = ".stage canvas"): Promise<number> {
  const picture = await page.locator(selector).first().screenshot();
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const pen = canvas.getContext("2d")!;
    pen.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(pen.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    return new Set(pixels).size;
  }, picture.toString("base64"));
}
