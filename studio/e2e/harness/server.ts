/** The real `gaitway studio`, in a project folder of its own. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const REPOSITORY = resolve(import.meta.dirname, "../../..");

export function binary(): string {
  const path = resolve(REPOSITORY, process.env["GAITWAY_BIN"] ?? "target/debug/gaitway");
  if (!existsSync(path))
    throw new Error(`there is no ${path}: build it (cargo build -p gaitway-cli), or name another with GAITWAY_BIN`);
  return path;
}

/** Runs another verb to its end; throws with what it said when it fails. */
export function gaitway(args: readonly string[], cwd?: string, program = binary()): Promise<string> {
  return new Promise((done, fail) => {
    execFile(program, args, { cwd, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error) fail(new Error(`gaitway ${args.join(" ")}: ${error.message}\n${stderr}`));
      else done(stdout);
    });
  });
}

export function scratch(name: string): string {
  return mkdtempSync(join(tmpdir(), `gaitway-${name}-`));
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export interface ServerOptions {
  /** Clips, a graph, or nothing for the demo. */
  inputs?: readonly string[];
  project: string;
  /** 0: any that is free. A restart keeps the port, as it keeps the page's address. */
  port?: number;
  more?: readonly string[];
  /** Another program than the one under test. */
  program?: string;
}

const START_MS = 280_000;

export class StudioServer {
  private constructor(
    readonly url: string,
    readonly project: string,
    /** From start to the printed address. */
    readonly startMs: number,
    private readonly child: ChildProcess,
    private readonly said: string[],
  ) {}

  static start(options: ServerOptions): Promise<StudioServer> {
    const begun = performance.now();
    const args = [
      "studio",
      ...(options.inputs ?? []),
      "--project",
      options.project,
      "--port",
      String(options.port ?? 0),
      ...(options.more ?? []),
    ];
    const child = spawn(options.program ?? binary(), args, { stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    child.once("exit", () => running.delete(child));
    const said: string[] = [];
    child.stderr.on("data", (text: Buffer) => said.push(text.toString()));
    return new Promise((done, fail) => {
      const late = setTimeout(() => give(new Error(`no address after ${START_MS / 1000} s`)), START_MS);
      const give = (error: Error) => {
        clearTimeout(late);
        child.kill("SIGKILL");
        fail(new Error(`gaitway ${args.join(" ")}: ${error.message}\n${said.join("")}`));
      };
      child.once("error", give);
      child.once("exit", (code) => give(new Error(`ended with code ${code} before it listened`)));
      let out = "";
      child.stdout.on("data", (text: Buffer) => {
        out += text.toString();
        const found = /^studio at (http:\/\/\S+)\n/m.exec(out);
        if (!found?.[1]) return;
        clearTimeout(late);
        child.removeAllListeners("exit");
        child.once("exit", () => running.delete(child));
        done(new StudioServer(found[1], options.project, performance.now() - begun, child, said));
      });
    });
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  /** What it wrote to stderr so far. */
  get words(): string {
    return this.said.join("");
  }

  /** In good order; tells the exit code. */
  stop(): Promise<number | null> {
    return this.end("SIGTERM");
  }

  /** As a power cut would. */
  kill(): Promise<number | null> {
    return this.end("SIGKILL");
  }

  async get<T>(path: string): Promise<T> {
    const answer = await fetch(new URL(path, this.url));
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const answer = await fetch(new URL(path, this.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  private end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve(this.child.exitCode);
    return new Promise((done) => {
      this.child.once("exit", (code) => done(code));
      this.child.kill(signal);
    });
  }
}

/** Servers outlive a test that was cut off unless somebody ends them: by their ids, and only ours. */
const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));
