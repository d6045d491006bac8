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

/**
 * Everything axe finds on the page, or in its open dialogs: the page behind is inert, has a test of its own,
 * and is hidden because axe cannot tell a colour behind text where several things lie.
 * A contrast that axe cannot compute counts too, because nothing else checks it.
 */
export async function axeFindings(page: Page, options: AxeOptions = {}): Promise<string[]> {
  const isDialog = (await page.locator('dialog[open]').count()) > 0
  const showPage = (visibility: string) =>
    page.evaluate(`document.getElementById('root').style.visibility = '${visibility}'`)
  if (isDialog) await showPage('hidden')
  const { violations, incomplete } = await runAxe(page, isDialog ? "'dialog[open]'" : 'document', options)
  if (isDialog) await showPage('')
  return [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

async function runAxe(
  page: Page,
  include: string,
  { only, except = [] }: AxeOptions,
): Promise<Record<'violations' | 'incomplete', Finding[]>> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const options = JSON.stringify({
    resultTypes: ['violations', 'incomplete'],
    // Half of the time: axe would load the stylesheets again, for one rule about the orientation of phones.
    preload: false,
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    ...(only && { runOnly: { type: 'rule', values: only } }),
  })
  return page.evaluate(`axe.run({ include: ${include}, exclude: ${repeatedRows} }, ${options})`)
}

/**
 * Rows and list items whose markup differs only in its texts from two others: axe would say the same about them.
 * Two, because the colours of rows may alternate.
 */
const repeatedRows = `(() => {
  const counts = new Map()
  const kindOf = (row) => row.contains(document.activeElement) ? row : row.outerHTML
    .replace(/>[^<]+/g, '>text')
    .replace(/ (aria-[a-z]+|datetime|for|href|id|name|popovertarget|title|value)="[^"]+"/g, ' $1')
    .replace(/[0-9.]+(px|%)/g, 'length')
  return [...document.querySelectorAll('tr, li')].filter((row) => {
    const kind = kindOf(row)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return counts.get(kind) > 2
  })
})()`
