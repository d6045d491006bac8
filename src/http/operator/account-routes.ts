import type { AccountQuery, ShownAccount } from '../../administration/accounts.ts'
import type { Administration } from '../../administration/administration.ts'
import { actorAt } from '../../administration/operator-sessions.ts'
import type { AccountSummary } from '../../administration/ports.ts'
import type { LedgerParameters } from '../../contract/console/ledger.ts'
import type { PageParameters } from '../../contract/console/paging.ts'
import type { UsageParameters } from '../../contract/console/usage.ts'
import type {
  AccountSignIns,
  FindAccountsRequest,
  FoundAccount,
  OperatedAccount,
  RecoveredAccount,
} from '../../contract/operator/accounts.ts'
import { OperatorRefusal } from '../../contract/operator/errors.ts'
import type { SessionRow } from '../../identity/ports/sessions.ts'
import { ledgerPage } from '../../reporting/ledger.ts'
import type { ReportStore } from '../../reporting/ports.ts'
import { usagePage } from '../../reporting/usage.ts'
import type { Route } from '../route.ts'
import { orderPage } from '../routes/console/resources.ts'
import { isoOf, isoOrNull, ok, operatorEndpoint } from './endpoint.ts'
import type { OperatorGuard } from './guard.ts'

export interface OperatedAccountRouteDeps {
  readonly guard: OperatorGuard
  readonly operate: Administration
  readonly reports: ReportStore
  readonly sessionsOf: (accountId: string) => Promise<readonly SessionRow[]>
}

interface WithReason {
  readonly reason: string
}

export function operatedAccountRoutes({ guard, operate, reports, sessionsOf }: OperatedAccountRouteDeps): Route[] {
  const projectOf = async (accountId: string) => (await operate.showAccount(accountId)).projectId
  const act = (id: string, run: Administration['suspendAccount']) =>
    operatorEndpoint<WithReason>(guard, id, async ({ operator, at, body: { reason } }) => {
      const accountId = at('accountId')
      await run(actorAt(operator), { accountId, reason })
      return ok(publicAccount(await operate.showAccount(accountId)))
    })
  const recover = operatorEndpoint<WithReason>(
    guard,
    'operator.accounts.recover',
    async ({ operator, at, body: { reason } }) => {
      const accountId = at('accountId')
      const { recovery } = await operate.recoverAccount(actorAt(operator), { accountId, reason })
      const account = publicAccount(await operate.showAccount(accountId))
      const { link, expiresAt } = recovery
      return ok({ ...account, recovery: { link, expiresAt: isoOf(expiresAt) } } satisfies RecoveredAccount)
    },
  )
  return [
    operatorEndpoint<FindAccountsRequest>(guard, 'operator.accounts.find', async ({ body }) =>
      ok({ items: (await operate.findAccounts(queryOf(body))).map(found) }),
    ),
    operatorEndpoint(guard, 'operator.accounts.show', async ({ at }) =>
      ok(publicAccount(await operate.showAccount(at('accountId')))),
    ),
    operatorEndpoint<unknown, LedgerParameters>(guard, 'operator.accounts.ledger', async ({ at, query }) =>
      ok(await ledgerPage(reports, await projectOf(at('accountId')), query)),
    ),
    operatorEndpoint<unknown, PageParameters>(guard, 'operator.accounts.orders', async ({ at, query }) =>
      ok(await orderPage(reports, await projectOf(at('accountId')), query)),
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

function queryOf(body: FindAccountsRequest): AccountQuery {
  const given = Object.entries(body) as [keyof FindAccountsRequest, string][]
  if (given.length !== 1) throw new OperatorRefusal('QUERY_INVALID')
  const [name, value] = given[0]!
  switch (name) {
    case 'phone':
      return { phone: value }
    case 'email':
      return { email: value }
    case 'id':
      return { id: value }
    case 'keyPrefix':
      return { keyPrefix: value }
  }
}

const found = (row: AccountSummary): FoundAccount => ({
  accountId: row.accountId,
  projectId: row.projectId,
  state: row.suspendedAt === null ? 'active' : 'suspended',
  phoneMasked: row.phoneMasked,
  recoveryEmailMasked: row.recoveryEmailMasked,
  createdAt: isoOf(row.createdAt),
})

const publicAccount = (row: ShownAccount): OperatedAccount => ({
  ...found(row),
  recoveryEmailState: row.recoveryEmailState,
  suspendedAt: isoOrNull(row.suspendedAt),
  suspensionReason: row.suspensionReason,
  balance: row.balance,
  keys: row.keys.map(({ keyId, displayPrefix, revokedAt }) => ({
    keyId,
    displayPrefix,
    revokedAt: isoOrNull(revokedAt),
  })),
})
