import { operationNames } from '../../../src/contract/operation-names.ts'
import type { Language } from '../../../src/documents/guide.ts'
import type { StatusPageOptions } from '../../../src/documents/site.ts'
import {
  type OperationFigures,
  type OperationStatus,
  type PublicIncident,
  statusPeriods,
} from '../../../src/documents/status.ts'
import { framePage } from '../frame/frame.ts'
import { html, type Markup } from '../frame/html.ts'
import { statusWords } from './words.ts'

/** How each operation works, and what operators say about incidents. It needs no script. */
export function statusPage(options: StatusPageOptions): string {
  const { language, status } = options
  const words = statusWords[language]
  const { state, updatedAt, fewestCalls, operations, incidents } = status
  const isOpen = ({ state }: PublicIncident) => state !== 'ended'
  const [open, ended] = [incidents.filter(isOpen), incidents.filter((incident) => !isOpen(incident))]
  const list = (items: readonly PublicIncident[]) =>
    html`<ol class="incidents">${items.map((incident) => incidentItem(incident, language))}</ol>`
  return framePage(options, {
    title: words.title,
    description: words.lead,
    path: '/status',
    style: 'style',
    feed: { title: words.title, href: '/status.rss' },
    content: html`<main id="content" tabindex="-1">
<section class="hero"><h1>${words.title}</h1><p class="lead">${words.lead}</p></section>
<div class="standing" data-state="${updatedAt === null ? 'unknown' : state}"><p><b>${updatedAt === null ? words.unknown : words.states[state]}</b>${updatedAt !== null && html` <span>${words.updated(timeOf(updatedAt))}</span>`}</p>${open.length > 0 && list(open)}</div>
<section aria-labelledby="figures"><h2 id="figures">${words.figures}</h2>
<div class="table figures"><table><thead><tr><th scope="col">${words.operation}</th>${statusPeriods.map((period) => html`<th scope="col">${words.periods[period]}</th>`)}</tr></thead>
<tbody>${operations.map((operation) => operationRow(operation, language))}</tbody></table></div>
<ul class="notes">${words.notes(fewestCalls).map((note) => html`<li>${note}</li>`)}</ul></section>
<section aria-labelledby="incidents"><h2 id="incidents">${words.incidents}</h2>${ended.length > 0 ? list(ended) : html`<p>${words.none}</p>`}
<p class="follow"><a href="/status.rss">${words.follow}</a> <a href="/status.json">${words.json}</a> <span>${words.zone}</span></p></section>
</main>`,
  })
}

function operationRow(row: OperationStatus, language: Language): Markup {
  const { periods } = statusWords[language]
  return html`<tr><th scope="row">${operationNames[row.operation][language]}</th>${statusPeriods.map(
    (period) => html`<td data-title="${periods[period]}">${figuresCell(row[period], language)}</td>`,
  )}</tr>`
}

function figuresCell(figures: OperationFigures | null, language: Language): Markup {
  const words = statusWords[language]
  if (figures === null) return html`<span class="few">${words.tooFew}</span>`
  const { successPercent, p50Ms, p95Ms } = figures
  const level = successPercent >= 99 ? 'good' : successPercent >= 95 ? 'fair' : 'poor'
  const times = p50Ms === null || p95Ms === null ? words.noTime : words.times(grouped(p50Ms), grouped(p95Ms))
  return html`<b class="share" data-level="${level}">${successPercent.toFixed(1)}%</b> <span class="times">${times}</span>`
}

const grouped = (ms: number) => ms.toLocaleString('en')

function incidentItem({ incidentId, state, from, to, ...texts }: PublicIncident, language: Language): Markup {
  const words = statusWords[language]
  const begin = timeOf(from)
  const unended = state === 'planned' ? words.begins(begin) : words.from(begin)
  return html`<li id="${incidentId}" data-state="${state}"><p class="when"><b>${words.incidentStates[state]}</b> <time datetime="${from}">${to === null ? unended : words.period(begin, timeOf(to))}</time></p><p>${texts[language]}</p></li>`
}

const shanghaiOffsetMs = 8 * 3_600_000

/** In Beijing time, which is that of every report: the server does not know the reader's. */
const timeOf = (at: string) => new Date(Date.parse(at) + shanghaiOffsetMs).toISOString().slice(0, 16).replace('T', ' ')
