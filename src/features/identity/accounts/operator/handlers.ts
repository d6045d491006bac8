import { isoOf, isoOrNull } from '../../../../base/time.ts'
import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import { ok } from '../../../../http/endpoint.ts'
import { type OperatorHandler, operatorHandler } from '../../../../operator-kit/endpoint.ts'
import type { OperatorContext, OperatorPart } from '../../../../ops/feature.ts'
import { readKeyring } from '../../../../ops/secrets.ts'
import { createAccountStore } from '../store.ts'
import {
  type AccountQuery,
  findAccounts,
  listAccounts,
  recoverAccount,
  reinstateAccount,
  type ShownAccount,
  showAccount,
  signOutAccount,
  suspendAccount,
} from './actions.ts'
import {
  type AccountListParameters,
  type AccountPage,
  type AccountSignIns,
  type FindAccountsRequest,
  type FoundAccount,
  type OperatedAccount,
  operatedAccountOperations,
  type RecoveredAccount,
} from './contract.ts'
import { recoveryOn } from './recovery.ts'
import type { AccountSummary } from './store.ts'

interface WithReason {
  readonly reason: string
}

type AccountContext = Pick<OperatorContext, 'config' | 'engine' | 'clock'>

export function operatedAccountHandlers({ config, engine, clock }: AccountContext): OperatorHandler[] {
  const store = createAccountStore(engine)
  const startRecovery = recoveryOn(engine, config, clock)
  const deps = { engine, clock, readKeyring: () => readKeyring(config), startRecovery }
  const act = (id: string, run: typeof suspendAccount) =>
    operatorHandler<WithReason>(id, async ({ actor, at, body: { reason } }) => {
      const accountId = at('accountId')
      await run(deps, actor, { accountId, reason })
      return ok(shownAccount(await showAccount(deps, accountId)))
    })
  return [
    operatorHandler<FindAccountsRequest>('operator.accounts.find', async ({ body }) =>
      ok({ items: (await findAccounts(deps, queryOf(body))).map(foundAccount) }),
    ),
    operatorHandler<unknown, AccountListParameters>('operator.accounts.list', async ({ query }) => {
      const { rows, next } = await listAccounts(deps, query)
      const items = rows.map((row) => ({
        ...foundAccount(row),
        suspendedAt: isoOrNull(row.suspendedAt),
        available: row.available,
        settled: row.settled,
      }))
      return ok({ items, nextAfter: next } satisfies AccountPage)
    }),
    operatorHandler('operator.accounts.show', async ({ at }) =>
      ok(shownAccount(await showAccount(deps, at('accountId')))),
    ),
    operatorHandler('operator.accounts.sign_ins', async ({ at }) => {
      const { accountId } = await showAccount(deps, at('accountId'))
      const sessions = await store.read((tx) => tx.sessionsOf(accountId, clock()))
      const items = sessions.map(({ sessionId, createdAt, expiresAt }) => ({
        sessionId,
        createdAt: isoOf(createdAt),
        expiresAt: isoOf(expiresAt),
      }))
      return ok({ items } satisfies AccountSignIns)
    }),
    act('operator.accounts.suspend', suspendAccount),
    act('operator.accounts.reinstate', reinstateAccount),
    act('operator.accounts.sign_out', signOutAccount),
    operatorHandler<WithReason>('operator.accounts.recover', async ({ actor, at, body: { reason } }) => {
      const accountId = at('accountId')
      const { recovery } = await recoverAccount(deps, actor, { accountId, reason })
      const account = shownAccount(await showAccount(deps, accountId))
      const { link, expiresAt } = recovery
      return ok({ ...account, recovery: { link, expiresAt: isoOf(expiresAt) } } satisfies RecoveredAccount)
    }),
  ]
}

export const accountsPart: OperatorPart = {
  operations: operatedAccountOperations,
  build: (context) => ({ operatorHandlers: operatedAccountHandlers(context) }),
}

function queryOf(body: FindAccountsRequest): AccountQuery {
  if (Object.keys(body).length !== 1) throw operatorRefusal('QUERY_INVALID')
  return body as AccountQuery
}

export const foundAccount = (row: AccountSummary): FoundAccount => ({
  accountId: row.accountId,
  projectId: row.projectId,
  state: row.suspendedAt === null ? 'active' : 'suspended',
  phoneMasked: row.phoneMasked,
  recoveryEmailMasked: row.recoveryEmailMasked,
  createdAt: isoOf(row.createdAt),
})

export const shownAccount = (row: ShownAccount): OperatedAccount => ({
  ...foundAccount(row),
  recoveryEmailState: row.recoveryEmailState,
  hasSecondFactor: row.hasSecondFactor,
  suspendedAt: isoOrNull(row.suspendedAt),
  suspensionReason: row.suspensionReason,
  balance: row.balance,
  keys: row.keys.map(({ keyId, name, displayPrefix, revokedAt }) => ({
    keyId,
    name,
    displayPrefix,
    revokedAt: isoOrNull(revokedAt),
  })),
})
