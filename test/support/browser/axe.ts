import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly id: string
  readonly nodes: { readonly html: string; readonly failureSummary: string }[]
}

export interface AxeOptions {
  /** Only these rules. */
  readonly only?: readonly string[]
  readonly except?: readonly string[]
}

/** Everything axe finds on the page. A contrast that it cannot compute counts too: nobody else has checked it. */
export async function axeFindings(page: Page, { only, except = [] }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const options = JSON.stringify({
    resultTypes: ['violations', 'incomplete'],
    // Half of the time: axe would load the stylesheets again, for one rule about the orientation of phones.
    preload: false,
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    ...(only && { runOnly: { type: 'rule', values: only } }),
  })
  const { violations, incomplete } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: Finding[]
    incomplete: Finding[]
  }
  return [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
