import { type Static, Type } from '../../../../base/schema.ts'
import { Choice, failsWith, named, request } from '../../../../contract/field.ts'
import { response } from '../../../../contract/operation.ts'
import { Page, type PageParameters, pageParameters } from '../../../../contract/paging.ts'
import { keyIdPattern } from '../../../../contract/schemas/keys.ts'
import {
  accountIdPattern,
  Count,
  idParameter,
  OrNull,
  operatorAction,
  operatorView,
  projectIdPattern,
  ReasonRequest,
  Text,
  Time,
  TimeOrNull,
} from '../../../../operator-kit/operation.ts'

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

const contact = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 254, description, ...failsWith('QUERY_INVALID') }))

export const FindAccountsRequest = request(
  'FindAccountsRequest',
  {
    phone: contact('A whole phone number.'),
    email: contact('A whole recovery email.'),
    id: contact('The id of an account, a project or a key.'),
    keyPrefix: contact('The start of an API key.'),
  },
  {
    description: 'Exactly one of these. They are personal, so they are never in a URL.',
    alternatives: [['phone'], ['email'], ['id'], ['keyPrefix']],
  },
)

export const FoundAccount = named('FoundAccount', found)
export const FoundAccounts = named('FoundAccounts', { items: Type.Array(FoundAccount, { maxItems: 50 }) })

const operated = {
  ...found,
  recoveryEmailState: Choice(['pending_verification', 'verified']),
  hasSecondFactor: Type.Boolean({ description: 'Whether a sign-in asks for more than the password.' }),
  suspendedAt: TimeOrNull(),
  suspensionReason: OrNull(Text()),
  balance: named('OperatedBalance', {
    available: Count(),
    reserved: Count(),
    settled: Count('Spent.'),
    credited: Count('Bought and granted, less what was withdrawn.'),
  }),
  keys: Type.Array(
    named('OperatedKeyState', {
      keyId: Type.String({ pattern: keyIdPattern }),
      name: OrNull(Text()),
      displayPrefix: Text(),
      revokedAt: TimeOrNull(),
    }),
    { maxItems: 100, description: 'Newest first.' },
  ),
}
export const OperatedAccount = named('OperatedAccount', operated)

export const RecoveredAccount = named('RecoveredAccount', {
  ...operated,
  recovery: named('AccountRecovery', {
    link: Type.String({
      format: 'uri',
      description:
        'Where the customer enters the code and a new password. It does not work without the code, so it can be passed on.',
    }),
    expiresAt: Time('When the code and the link expire.'),
  }),
})

export const AccountSignIns = named('AccountSignIns', {
  items: Type.Array(named('AccountSignIn', { sessionId: Text(), createdAt: Time(), expiresAt: Time() }), {
    maxItems: 100,
    description: 'Active sessions, newest first.',
  }),
})

const pathParameters = { accountId: idParameter(accountIdPattern, 'ACCOUNT_NOT_FOUND') }
const ownErrors = ['ACCOUNT_NOT_FOUND'] as const
export const ofAccount = { tag: 'Accounts', pathParameters, ownErrors } as const

const onAccount = {
  ...ofAccount,
  permission: 'accounts',
  request: ReasonRequest,
  ownErrors: [...ownErrors, 'REASON_INVALID'],
} as const
const account = [response(200, 'The account.', OperatedAccount)] as const

export const operatedAccountOperations = [
  operatorAction({
    id: 'operator.accounts.find',
    tag: 'Accounts',
    path: '/api/accounts/find',
    summary: 'Find accounts',
    permission: null,
    request: FindAccountsRequest,
    requestExample: { id: 'acc_01JQ8ZK4T7N2' },
    responses: [response(200, 'The accounts that match.', FoundAccounts)],
    ownErrors: ['QUERY_INVALID'],
  }),
  operatorView({
    id: 'operator.accounts.list',
    tag: 'Accounts',
    path: '/api/accounts',
    summary: 'List the accounts',
    queryParameters: accountListParameters,
    response: response(200, 'A page of accounts.', AccountPage),
  }),
  operatorView({
    ...ofAccount,
    id: 'operator.accounts.show',
    path: '/api/accounts/{accountId}',
    summary: 'Show an account',
    response: response(200, 'The account.', OperatedAccount),
  }),
  operatorView({
    ...ofAccount,
    id: 'operator.accounts.sign_ins',
    path: '/api/accounts/{accountId}/sign-ins',
    summary: 'List the active sign-ins of an account',
    response: response(200, 'The sign-ins.', AccountSignIns),
  }),
  operatorAction({
    ...onAccount,
    id: 'operator.accounts.suspend',
    path: '/api/accounts/{accountId}/suspend',
    summary: 'Suspend an account',
    description:
      'Ends its sessions and refuses its logins and keys from the next call on, on every instance. Calls in progress finish.',
    commands: [{ says: ({ accountId }: OperatedAccount) => `${accountId} is suspended.` }],
    responses: account,
  }),
  operatorAction({
    ...onAccount,
    id: 'operator.accounts.reinstate',
    path: '/api/accounts/{accountId}/reinstate',
    summary: 'Reinstate an account',
    description: 'Lets it log in and make calls again.',
    commands: [{ says: ({ accountId }: OperatedAccount) => `${accountId} is active.` }],
    responses: account,
  }),
  operatorAction({
    ...onAccount,
    id: 'operator.accounts.sign_out',
    path: '/api/accounts/{accountId}/sign-out',
    summary: 'End all sessions of an account',
    description: 'Its keys keep working.',
    commands: [{ says: ({ accountId }: OperatedAccount) => `${accountId} is signed out everywhere.` }],
    responses: account,
  }),
  operatorAction({
    ...onAccount,
    id: 'operator.accounts.recover',
    path: '/api/accounts/{accountId}/recover',
    summary: 'Start a password recovery',
    description:
      'Sends a code to the phone of the account, and returns the link where it is used. No operator sees the code or sets the password.',
    commands: [
      {
        says: ({ accountId, recovery }: RecoveredAccount) =>
          `A password reset code was sent to ${accountId}. Pass on this link, valid until ${recovery.expiresAt}:\n${recovery.link}`,
      },
    ],
    responses: [response(200, 'The account, and the link to pass on.', RecoveredAccount)],
    ownErrors: [...onAccount.ownErrors, 'RECOVERY_UNAVAILABLE'],
  }),
]

export type FindAccountsRequest = Static<typeof FindAccountsRequest>
export type FoundAccount = Static<typeof FoundAccount>
export type OperatedAccount = Static<typeof OperatedAccount>
export type RecoveredAccount = Static<typeof RecoveredAccount>
export type AccountSignIns = Static<typeof AccountSignIns>
