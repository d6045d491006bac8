import { type Static, Type } from 'typebox'
import { Choice, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { Page, type PageParameters, pageParameters } from '../../../contract/paging.ts'
import {
  accountIdPattern,
  Count,
  operatorView,
  projectIdPattern,
  Text,
  Time,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'

/** What is shown of every account. */
export const found = {
  accountId: Type.String({ pattern: accountIdPattern }),
  projectId: Type.String({ pattern: projectIdPattern }),
  state: Choice(['active', 'suspended']),
  phoneMasked: Text(),
  recoveryEmailMasked: Text(),
  createdAt: Time(),
}

export const accountOrders = ['newest', 'spending', 'suspended'] as const

export const AccountPage = Page(
  'AccountPage',
  named('ListedAccount', {
    ...found,
    suspendedAt: TimeOrNull(),
    available: Count(),
    settled: Count('Spent.'),
  }),
)

const accountListParameters = {
  ...pageParameters('^[0-9]{1,16}[.](acc|prj)_[A-Za-z0-9]+$'),
  order: Choice(accountOrders, {
    default: 'newest',
    description:
      'newest: registered last. spending: spent most, as of a minute ago. suspended: only those, the last first.',
  }),
}

export interface AccountListParameters extends PageParameters {
  readonly order?: (typeof accountOrders)[number]
}

export type AccountPage = Static<typeof AccountPage>

/** All accounts, page by page. */
export const accountList = (example: Omit<AccountPage['items'][number], 'suspendedAt' | 'available' | 'settled'>) =>
  operatorView({
    id: 'operator.accounts.list',
    tag: 'Accounts',
    path: '/api/accounts',
    summary: 'List the accounts',
    queryParameters: accountListParameters,
    response: response(200, 'A page of accounts.', AccountPage, {
      items: [{ ...example, suspendedAt: null, available: 120, settled: 80 }],
      nextCursor: null,
    }),
  })
