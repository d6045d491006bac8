import type { PublicIncident, StatusDocument } from '../../../documents/status.ts'

/** The incidents as RSS 2.0, in both languages. */
export function statusFeed({ incidents }: StatusDocument, origin: string): string {
  const page = `${origin}/status`
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>服务状态 / Service status</title>
<link>${escaped(page)}</link>
<description>故障与维护 / Outages and maintenance: ${escaped(new URL(origin).host)}</description>
<atom:link href="${escaped(`${page}.rss`)}" rel="self" type="application/rss+xml"/>
<ttl>5</ttl>
${incidents.map((incident) => itemOf(incident, page)).join('')}</channel>
</rss>
`
}

const stateWords = {
  planned: '计划 / Planned',
  open: '进行中 / Open',
  ended: '已结束 / Ended',
} as const

/** Readers show an item again when its guid changes, which it does when the incident ends. */
function itemOf({ incidentId, state, zh, en, from, to }: PublicIncident, page: string): string {
  const period = `${minuteOf(from)} – ${to === null ? '' : minuteOf(to)}`.trim()
  const isEnded = state === 'ended' && to !== null
  return `<item>
<title>${escaped(`[${stateWords[state]}] ${shortened(zh)} / ${shortened(en)}`)}</title>
<link>${escaped(`${page}#${incidentId}`)}</link>
<guid isPermaLink="false">${escaped(isEnded ? `${incidentId}-ended` : incidentId)}</guid>
<pubDate>${new Date(isEnded ? to : from).toUTCString()}</pubDate>
<description>${escaped([zh, en, period].map((line) => `<p>${escaped(line)}</p>`).join(''))}</description>
</item>
`
}

const minuteOf = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`

const titleLimit = 80

function shortened(text: string): string {
  const characters = [...text]
  return characters.length > titleLimit ? `${characters.slice(0, titleLimit - 1).join('')}…` : text
}

/** Also without what XML cannot hold. */
const escaped = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
