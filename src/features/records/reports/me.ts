import { Refusal } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Credits, Me } from '../../../contract/schemas/account.ts'
import { endpoint } from '../../../http/endpoint.ts'
import type { Guards } from '../../../http/guards.ts'
import type { Route } from '../../../http/route.ts'
import type { Orders } from '../../billing/payments/orders.ts'
import { publicAccount } from '../../identity/accounts/accounts.ts'
import type { Sessions } from '../../identity/accounts/sessions.ts'
import type { AccountRow } from '../../identity/accounts/store.ts'
import type { Keys } from '../../identity/keys/keys.ts'

export interface AccountRouteDeps {
  readonly operation: (id: string) => Operation
  readonly guards: Guards
  readonly sessions: Sessions
  readonly findAccount: (accountId: string) => Promise<AccountRow | undefined>
  readonly creditsOf: (projectId: string) => Promise<Credits>
  readonly keys: Keys
  readonly orders: Orders
}

export function accountRoutes({
  operation,
  guards,
  sessions,
  findAccount,
  creditsOf,
  keys,
  orders,
}: AccountRouteDeps): Route[] {
  return [
    endpoint(operation('account.get'), async (call) => {
      const session = await guards.session(call)
      const { accountId, projectId } = session
      const [account, credits, recentOrders, apiKeys] = await Promise.all([
        findAccount(accountId),
        creditsOf(projectId),
        orders.recent(projectId),
        keys.list(projectId),
      ])
      // Last, so that a failed read leaves the browser's CSRF token valid.
      const csrfToken = await sessions.renewCsrf(session)
      if (!account || !csrfToken) throw new Refusal('GATEWAY_AUTH_REQUIRED')
      const body: Me = {
        account: { ...publicAccount(account), name: account.name },
        project: { projectId, name: account.projectName },
        credits,
        latestOrder: recentOrders[0] ?? null,
        recentOrders,
        apiKeys,
        session: { expiresAt: new Date(session.expiresAt).toISOString() },
        csrfToken,
      }
      return { status: 200, body }
    }),
  ]
}
