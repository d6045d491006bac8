import { readFileSync } from 'node:fs'
import type { SmsMessage } from '../../identity/ports.ts'

/** What the page loads, by path. */
export const inboxFiles = {
  '/inbox.js': { type: 'text/javascript; charset=utf-8', body: read('inbox.js') },
  '/inbox.css': { type: 'text/css; charset=utf-8', body: read('inbox.css') },
} as const

/** The messages that the fake SMS adapter took, for a developer at this machine. New ones appear by themselves. */
export function inboxPage(messages: readonly SmsMessage[]): string {
  const rows = messages
    .map(({ sentAt, phone, code }) => {
      const [time, to, text] = [sentAt, phone, code].map(escapeHtml)
      return `<tr><td>${time}</td><td>${to}</td><td><b>${text}</b></td></tr>`
    })
    .join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local SMS inbox · 本地短信收件箱</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="inbox.css"><script src="inbox.js" defer></script></head>
<body><main><h1>Local SMS inbox <span lang="zh-CN">本地短信收件箱</span></h1>
<p>Messages of the fake SMS adapter. Nothing was sent to a phone. <span lang="zh-CN">短信没有真正发出，验证码显示在这里。</span></p>
<noscript><p><a href=".">Reload</a> to see new messages. <span lang="zh-CN"><a href=".">刷新</a>以查看新消息。</span></p></noscript>
<p id="none"${rows ? ' hidden' : ''}>No messages yet. <span lang="zh-CN">还没有消息。</span></p>
<table${rows ? '' : ' hidden'}><thead><tr><th scope="col">Sent <span lang="zh-CN">时间</span></th><th scope="col">Phone <span lang="zh-CN">手机号</span></th><th scope="col">Code <span lang="zh-CN">验证码</span></th></tr></thead>
<tbody>${rows}</tbody></table>
<p id="news" role="status"></p></main></body></html>
`
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!)
