import type { Route } from '../../../http/route.ts'
import type { OperatorGuard } from './guard.ts'

export interface InboxDeps {
  readonly guard: OperatorGuard
  /** Messages that were not really sent; null where they are. */
  readonly inbox: InboxPages | null
}

export interface InboxPages {
  /** On a loopback origin, where only somebody at this machine can look. */
  readonly isOpen: boolean
  readonly files: Readonly<Record<string, { readonly type: string; readonly body: string }>>
  readonly page: () => Promise<string>
  /** What `/inbox.json`, `/sms.json` and `/email.json` answer, by path. */
  readonly lists: Readonly<Record<string, () => Promise<readonly object[]>>>
}

const operation = { id: 'operator.inbox', access: 'session', permission: null, isPolled: true } as const

export function inboxRoutes({ guard, inbox }: InboxDeps): Route[] {
  if (!inbox) return []
  const route = (path: string, read: () => Promise<{ type: string; body: string }>): Route => ({
    operationId: operation.id,
    method: 'GET',
    path,
    async handle(call) {
      if (!inbox.isOpen) await guard.admit(call, operation)
      const { type, body } = await read()
      return { status: 200, headers: { 'content-type': type, 'content-security-policy': policy }, body }
    },
  })
  return [
    route('/inbox', async () => ({ type: 'text/html; charset=utf-8', body: await inbox.page() })),
    ...Object.entries(inbox.lists).map(([path, list]) =>
      route(path, async () => ({ type: 'application/json', body: JSON.stringify(await list()) })),
    ),
    ...Object.entries(inbox.files).map(([path, file]) => route(path, async () => file)),
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
