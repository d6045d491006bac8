import type { SmsMessage } from '../identity/ports.ts'

/** The messages of the fake SMS adapter, for local development. The page reloads itself. */
export function inboxPage(messages: readonly SmsMessage[]): string {
  const rows = messages
    .map(
      ({ sentAt, phone, code }) =>
        `<tr><td>${escapeHtml(sentAt)}</td><td>${escapeHtml(phone)}</td><td><b>${escapeHtml(code)}</b></td></tr>`,
    )
    .join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Local SMS inbox</title>
<style>body{font:16px/1.6 system-ui;margin:2rem auto;max-width:40rem;padding:0 1rem;color-scheme:light dark}
table{width:100%;border-collapse:collapse}td,th{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8884}b{font-size:1.3em;letter-spacing:.1em}</style>
</head><body><h1>Local SMS inbox</h1><p>Messages from the fake SMS adapter. Nothing was sent to a phone.</p>
${rows ? `<table><tr><th>Sent</th><th>Phone</th><th>Code</th></tr>${rows}</table>` : '<p>No messages yet.</p>'}
</body></html>
`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!)
