import { describe, expect, test } from 'vitest'
import { pages } from '../../console/site/pages.ts'
import { statusWords } from '../../console/site/status/words.ts'
import { loadConfig } from '../../src/config/config.ts'
import { billableOperations } from '../../src/contract/prices.ts'
import { serviceFacts } from '../../src/documents/facts.ts'
import { languages } from '../../src/documents/guide.ts'
import type { OperationFigures, StatusDocument } from '../../src/documents/status.ts'
import { siteFiles } from '../../testkit/http/site-files.ts'

const facts = serviceFacts(loadConfig({}))

const incident = (incidentId: string, state: 'planned' | 'open' | 'ended', to: string | null) => ({
  ...{ incidentId, state, from: '2026-09-03T16:30:00.000Z', to },
  ...{ zh: `<b>中文 ${incidentId}</b>`, en: `<b>English ${incidentId}</b>` },
})

function statusOf(lastHour: OperationFigures | null, rest: Partial<StatusDocument> = {}): StatusDocument {
  const operations = billableOperations.map((operation) => ({ operation, lastHour, lastDay: null, last90Days: null }))
  return { state: 'ok', updatedAt: '2026-09-03T20:15:00.000Z', fewestCalls: 20, operations, incidents: [], ...rest }
}

describe.each(languages)('the status page in %s', (language) => {
  const words = statusWords[language]
  const render = (status: StatusDocument) => pages.status({ facts, language, prefix: '', files: siteFiles, status })

  test('the status page shows share and times of each operation, and where there were too few calls', () => {
    const page = render(statusOf({ successPercent: 99.8, p50Ms: 420, p95Ms: 1300 }))
    const cells = [...page.matchAll(/<td data-title[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)
    expect(cells).toHaveLength(27)
    expect(cells.filter((cell) => cell!.includes('99.8%') && cell!.includes(words.times('420', '1,300')))).toHaveLength(
      9,
    )
    expect(cells.filter((cell) => cell!.includes(words.tooFew))).toHaveLength(18)
    expect(page).toContain(words.notes(20)[2]!)
    expect(page).toContain('2026-09-04 04:15')
    expect(render(statusOf({ successPercent: 0, p50Ms: null, p95Ms: null }))).toContain(words.noTime)
  })

  test('the status page shows what has not ended above the figures, in its own language and as text', () => {
    const open = [incident('inc_open', 'open', null), incident('inc_planned', 'planned', null)]
    const ended = incident('inc_ended', 'ended', '2026-09-03T17:00:00.000Z')
    const page = render(statusOf(null, { state: 'incident', incidents: [...open, ended] }))
    const places = ['inc_open', 'inc_planned', 'class="table figures"', 'inc_ended'].map((text) => page.indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(page).toContain(words.states.incident)
    expect(page).toContain(words.period('2026-09-04 00:30', '2026-09-04 01:00'))
    expect(page.includes('&lt;b&gt;English inc_open')).toBe(language === 'en')
    expect(page.includes('&lt;b&gt;中文 inc_open')).toBe(language === 'zh')
    expect(page).not.toContain('<b>English')
  })

  test('readers of feeds discover the one of the status page', () => {
    const link = `<link rel="alternate" type="application/rss+xml" title="${words.title}" href="/status.rss">`
    const page = render(statusOf(null))
    expect(page.slice(0, page.indexOf('</head>'))).toContain(link)
  })

  test('the status page says so if nothing was reported, and if there are no figures yet', () => {
    expect(render(statusOf(null))).toContain(words.none)
    const page = render(statusOf(null, { updatedAt: null }))
    expect(page).toContain(words.unknown)
    expect(page).not.toContain(words.states.ok)
  })
})
