import { readFileSync } from 'node:fs'
import { isoOf, reportingZone } from '../../../base/time.ts'
import type { Route } from '../../../http/route.ts'
import type { OperatorGuard } from '../../../operator-kit/guard.ts'
import type { EmailOutboxLine } from '../../../providers/email.ts'
import type { SmsOutboxLine } from '../../../providers/sms/sms.ts'

/** The newest messages of both outbox files. */
export interface Inbox {
  /** On a loopback origin, where only somebody at this machine can look. */
  readonly isOpen: boolean
  readonly sms: () => Promise<SmsOutboxLine[]>
  readonly email: () => Promise<EmailOutboxLine[]>
}

export interface InboxDeps {
  readonly guard: OperatorGuard
  /** Messages that were not really sent; null where they are. */
  readonly inbox: Inbox | null
}

const operation = { id: 'operator.inbox', access: 'session', permission: null, isPolled: true } as const

export function inboxRoutes({ guard, inbox }: InboxDeps): Route[] {
  if (!inbox) return []
  const route = (path: string, type: string, read: () => Promise<string> | string): Route => ({
    operationId: operation.id,
    method: 'GET',
    path,
    async handle(call) {
      if (!inbox.isOpen) await guard.admit(call, operation)
      return { status: 200, headers: { 'content-type': type, 'content-security-policy': policy }, body: await read() }
    },
  })
  const list = (path: string, read: () => Promise<readonly object[]>) =>
    route(path, 'application/json', async () => JSON.stringify(await read()))
  return [
    route('/inbox', 'text/html; charset=utf-8', async () => inboxPage(await inboxEntries(inbox))),
    list('/inbox.json', () => inboxEntries(inbox)),
    list('/sms.json', inbox.sms),
    list('/email.json', inbox.email),
    route('/inbox.js', 'text/javascript; charset=utf-8', () => inboxScript),
    route('/inbox.css', 'text/css; charset=utf-8', () => inboxStyle),
  ]
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface InboxEntry {
  readonly sentAt: string
  readonly channel: 'SMS' | 'Email'
  readonly to: string
  /** Null for a notice. */
  readonly code: string | null
  readonly text: string
}

/** The newest messages of both channels, newest first. */
async function inboxEntries(inbox: Inbox): Promise<InboxEntry[]> {
  const [sms, email] = await Promise.all([inbox.sms(), inbox.email()])
  return [...sms.map(entryOfSms), ...email.map(entryOfEmail)].sort(
    (a, b) => Date.parse(b.sentAt) - Date.parse(a.sentAt),
  )
}

function entryOfSms(line: SmsOutboxLine): InboxEntry {
  const { sentAt, phone: to } = line
  return line.kind === 'notice'
    ? { sentAt, channel: 'SMS', to, code: null, text: line.text }
    : { sentAt, channel: 'SMS', to, code: line.code, text: '' }
}

const entryOfEmail = ({ sentAt, to, code, subject, text }: EmailOutboxLine): InboxEntry => ({
  sentAt,
  channel: 'Email',
  to,
  code: code ?? null,
  text: `${subject}\n${text}`,
})

const inboxScript = read('inbox.js')
const inboxStyle = read('inbox.css')

/** The messages that the outbox adapters wrote, shown as on a phone. New ones appear automatically. */
function inboxPage(entries: readonly InboxEntry[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local inbox · 本地收件箱</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="inbox.css"><script src="inbox.js" defer></script></head>
<body><main><header><h1>Local inbox <span lang="zh-CN">本地收件箱</span></h1>
<p>These messages were not actually sent. Times are in Beijing time. <span lang="zh-CN">消息并未真正发出，时间均为北京时间。</span></p></header>
<noscript><p><a href=".">Reload</a> to see new messages. <span lang="zh-CN"><a href=".">刷新</a>以查看新消息。</span></p></noscript>
<p id="none"${entries.length > 0 ? ' hidden' : ''}>No messages yet. <span lang="zh-CN">暂无消息。</span></p>
<ol id="messages" reversed>${entries.map(itemOf).join('')}</ol>
<p id="news" role="status"></p></main></body></html>
`
}

/** `inbox.js` makes the same elements. */
function itemOf({ sentAt, channel, to, code, text }: InboxEntry): string {
  const [recipient, rest] = [to, text].map(escapeHtml)
  const shownCode = code === null ? '' : `<p class="code"><b>${escapeHtml(code)}</b></p>`
  return `<li data-at="${escapeHtml(sentAt)}"><p class="head"><span>${channel} · <span class="to">${recipient}</span></span>
<time datetime="${escapeHtml(sentAt)}">${beijingTime(sentAt)}</time></p>${shownCode}${rest ? `<p class="text">${rest}</p>` : ''}</li>`
}

/** `09-03 16:10:00`, as in the console. */
const beijingTime = (sentAt: string): string =>
  isoOf(Date.parse(sentAt) + reportingZone.offsetMs)
    .slice(5, 19)
    .replace('T', ' ')

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!)
