import { isoOf, isoOrNull } from '../../../base/time.ts'
import { OperatorRefusal } from '../../../contract/error-codes/operators.ts'
import type { PageParameters } from '../../../contract/paging.ts'
import { ok } from '../../../http/endpoint.ts'
import type { SessionRow } from '../../../http/guards.ts'
import type { Route } from '../../../http/route.ts'
import { actorAt } from '../../../operator-kit/actor.ts'
import type { OperatorGuard } from '../../../operator-kit/guard.ts'
import type { Orders } from '../../billing/payments/orders.ts'
import type { LedgerParameters, UsageParameters } from '../../records/reports/contract.ts'
import { ledgerPage } from '../../records/reports/ledger.ts'
import type { ReportStore } from '../../records/reports/store.ts'
import { usagePage } from '../../records/reports/usage.ts'
import type { AccountQuery } from '../administration/accounts.ts'
import type { Administration } from '../administration/administration.ts'
import type { AccountListParameters, AccountPage } from '../contract/account-list.ts'
import type { AccountSignIns, FindAccountsRequest, RecoveredAccount } from '../contract/accounts.ts'
import type { Approval, ApprovalParameters, MoveCreditsRequest } from '../contract/credits.ts'
import { operatorEndpoint } from '../endpoint.ts'
import { foundAccount, publicApproval, shownAccount } from '../views.ts'

export interface OperatedAccountRouteDeps {
  readonly guard: OperatorGuard
  readonly operate: Administration
  readonly reports: ReportStore
  readonly orders: Pick<Orders, 'page'>
  readonly sessionsOf: (accountId: string) => Promise<readonly SessionRow[]>
}

interface WithReason {
  readonly reason: string
}

export function operatedAccountRoutes({
  guard,
  operate,
  reports,
  orders,
  sessionsOf,
}: OperatedAccountRouteDeps): Route[] {
  const projectOf = async (accountId: string) => (await operate.showAccount(accountId)).projectId
  const act = (id: string, run: Administration['suspendAccount']) =>
    operatorEndpoint<WithReason>(guard, id, async ({ operator, at, body: { reason } }) => {
      const accountId = at('accountId')
      await run(actorAt(operator), { accountId, reason })
      return ok(shownAccount(await operate.showAccount(accountId)))
    })
  const recover = operatorEndpoint<WithReason>(
    guard,
    'operator.accounts.recover',
    async ({ operator, at, body: { reason } }) => {
      const accountId = at('accountId')
      const { recovery } = await operate.recoverAccount(actorAt(operator), { accountId, reason })
      const account = shownAccount(await operate.showAccount(accountId))
      const { link, expiresAt } = recovery
      return ok({ ...account, recovery: { link, expiresAt: isoOf(expiresAt) } } satisfies RecoveredAccount)
    },
  )
  return [
    operatorEndpoint<FindAccountsRequest>(guard, 'operator.accounts.find', async ({ body }) =>
      ok({ items: (await operate.findAccounts(queryOf(body))).map(foundAccount) }),
    ),
    operatorEndpoint<unknown, AccountListParameters>(guard, 'operator.accounts.list', async ({ query }) =>
      ok(await accountPage(operate, query)),
    ),
    operatorEndpoint(guard, 'operator.accounts.show', async ({ at }) =>
      ok(shownAccount(await operate.showAccount(at('accountId')))),
    ),
    operatorEndpoint<unknown, LedgerParameters>(guard, 'operator.accounts.ledger', async ({ at, query }) =>
      ok(await ledgerPage(reports, await projectOf(at('accountId')), query)),
    ),
    operatorEndpoint<unknown, PageParameters>(guard, 'operator.accounts.orders', async ({ at, query }) =>
      ok(await orders.page(await projectOf(at('accountId')), query)),
    ),
    operatorEndpoint<unknown, UsageParameters>(guard, 'operator.accounts.charges', async ({ at, query }) =>
      ok(await usagePage(reports, await projectOf(at('accountId')), query)),
    ),
    operatorEndpoint(guard, 'operator.accounts.sign_ins', async ({ at }) => {
      const { accountId } = await operate.showAccount(at('accountId'))
      const items = (await sessionsOf(accountId)).map(({ sessionId, createdAt, expiresAt }) => ({
        sessionId,
        createdAt: isoOf(createdAt),
        expiresAt: isoOf(expiresAt),
      }))
      return ok({ items } satisfies AccountSignIns)
    }),
    act('operator.accounts.suspend', operate.suspendAccount),
    act('operator.accounts.reinstate', operate.reinstateAccount),
    act('operator.accounts.sign_out', operate.signOutAccount),
    recover,
    operatorEndpoint<WithReason>(guard, 'operator.keys.revoke', async ({ operator, at, body: { reason } }) => {
      const key = await operate.revokeKey(actorAt(operator), { keyId: at('keyId'), reason })
      return ok({ ...key, revokedAt: isoOrNull(key.revokedAt) })
    }),
  ]
}

async function accountPage(operate: Administration, query: AccountListParameters): Promise<AccountPage> {
  const { rows, next } = await operate.listAccounts(query)
  const items = rows.map((row) => ({
    ...foundAccount(row),
    suspendedAt: isoOrNull(row.suspendedAt),
    available: row.available,
    settled: row.settled,
  }))
  return { items, nextCursor: next }
}

function queryOf(body: FindAccountsRequest): AccountQuery {
  if (Object.keys(body).length !== 1) throw new OperatorRefusal('QUERY_INVALID')
  return body as AccountQuery
}

/** Credits that operators move. */
export function creditRoutes({ guard, operate }: Pick<OperatedAccountRouteDeps, 'guard' | 'operate'>): Route[] {
  const move = (kind: 'grant' | 'withdraw') =>
    operatorEndpoint<MoveCreditsRequest>(guard, `operator.credits.${kind}`, async ({ operator, body }) => {
      const moved = await operate.moveCredits(actorAt(operator), { kind, ...body })
      return ok(moved, 'approval' in moved ? 202 : 200)
    })
  const decided = (id: string, state: Approval['state']) => ({ approval: { id, state } })
  return [
    move('grant'),
    move('withdraw'),
    operatorEndpoint<unknown, ApprovalParameters>(guard, 'operator.approvals.list', async ({ query }) => {
      const { state = null, after = '', limit } = query
      const page = await operate.listApprovals({ state, after, limit })
      return ok({ items: page.rows.map(publicApproval), nextAfter: page.next })
    }),
    operatorEndpoint<{ reason?: string }>(guard, 'operator.approvals.approve', async ({ operator, at, body }) => {
      const approvalId = at('approvalId')
      const moved = await operate.approve(actorAt(operator), { approvalId, ...body })
      return ok({ ...decided(approvalId, 'approved'), ...moved })
    }),
    operatorEndpoint<{ reason?: string }>(guard, 'operator.approvals.reject', async ({ operator, at, body }) => {
      const approvalId = at('approvalId')
      await operate.reject(actorAt(operator), { approvalId, ...body })
      return ok(decided(approvalId, 'rejected'))
    }),
  ]
}
