/** The accessibility checker, run inside the page. */
import axe from "axe-core";
import type { Page } from "playwright-core";

export interface Finding {
  readonly rule: string;
  readonly impact: string;
  readonly help: string;
  readonly places: readonly string[];
}

/** What is serious: things that lock people out. The rest is told to the log. */
export async function accessibility(page: Page): Promise<{ serious: Finding[]; minor: Finding[] }> {
  // Over the debugger's wire, as the content policy lets no script in.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const run = (
      window as unknown as {
        axe: {
          run(
            root: Document,
            options: object,
          ): Promise<{
            violations: {
              id: string;
              impact: string | null;
              help: string;
              nodes: { target: unknown[]; failureSummary?: string }[];
            }[];
          }>;
        };
      }
    ).axe;
    const { violations } = await run.run(document, { resultTypes: ["violations"] });
    return violations.map((v) => ({
      rule: v.id,
      impact: v.impact ?? "minor",
      help: v.help,
      places: v.nodes.map((n) => `${n.target.join(" ")}: ${(n.failureSummary ?? "").replaceAll("\n", " ")}`),
    }));
  });
  const isSerious = (f: Finding) => f.impact === "serious" || f.impact === "critical";
  return { serious: found.filter(isSerious), minor: found.filter((f) => !isSerious(f)) };
}
