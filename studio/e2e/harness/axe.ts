/** The accessibility checker, run inside the page. */
import axe from "axe-core";
import type { Page } from "playwright-core";

export interface Finding {
  readonly rule: string;
  readonly impact: string;
  readonly help: string;
  readonly places: readonly string[];
}

/** All rules that look at colours: of a page that was looked at in one theme, the other theme can break no other. */
export const COLOURS = ["color-contrast", "link-in-text-block"];

/** What is serious: things that lock people out. The rest is told to the log. `only`: these rules alone. */
export async function accessibility(
  page: Page,
  only?: readonly string[],
): Promise<{ serious: Finding[]; minor: Finding[] }> {
  // Over the debugger's wire, as the content policy lets no script in.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (rules) => {
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
    const { violations } = await run.run(document, {
      resultTypes: ["violations"],
      ...(rules ? { runOnly: { type: "rule", values: rules } } : {}),
    });
    return violations.map((v) => ({
      rule: v.id,
      impact: v.impact ?? "minor",
      help: v.help,
      places: v.nodes.map((n) => `${n.target.join(" ")}: ${(n.failureSummary ?? "").replaceAll("\n", " ")}`),
    }));
  }, only);
  const isSerious = (f: Finding) => f.impact === "serious" || f.impact === "critical";
  return { serious: found.filter(isSerious), minor: found.filter((f) => !isSerious(f)) };
}
