import { type Static, Type } from '../../../base/schema.ts'
import { Choice, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { type DayParameters, dayParameters, Page } from '../../../contract/paging.ts'
import {
  type ListParameters,
  listParameters,
  OrNull,
  operatorView,
  Text,
  Time,
} from '../../../operator-kit/operation.ts'

const state = (description: string) =>
  OrNull(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
    description,
  )

export const AuditItem = named('AuditItem', {
  id: Text(),
  at: Time(),
  by: Text(),
  via: Choice(['web', 'command line']),
  action: Text(),
  object: Text('The id acted on: an account, project, key, charge, operator or provider.'),
  reason: Text(),
  before: state('What it was before; null if nothing was changed.'),
  after: state('What it is since.'),
  seq: Type.Integer({ minimum: 1, description: 'The number of the entry.' }),
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description:
      'Covers this entry and the hash of the one before it. Keep a copy elsewhere; `audit verify --contains` checks it.',
  }),
})
export const AuditItemPage = Page('AuditItemPage', AuditItem)

const filter = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

const auditFilters = {
  by: filter('An operator.'),
  action: filter('An action, such as account.suspend.'),
  object: filter('The id acted on.'),
  ...dayParameters,
}

export const auditColumns = [
  'id',
  'at (UTC)',
  'by',
  'via',
  'action',
  'object',
  'reason',
  'before',
  'after',
  'seq',
  'hash',
] as const
export const auditRowsLimit = 100_000

export const auditOperations = [
  operatorView({
    id: 'operator.audit.list',
    tag: 'Audit',
    path: '/api/audit',
    summary: 'List the audit log',
    queryParameters: {
      ...listParameters('^aud_[A-Za-z0-9]+$'),
      ...auditFilters,
      order: Choice(['newest', 'oldest'], { default: 'newest', description: 'Which entries come first.' }),
    },
    response: response(200, 'A page of entries.', AuditItemPage),
  }),
  operatorView({
    id: 'operator.audit.csv',
    tag: 'Audit',
    path: '/api/audit.csv',
    summary: 'Download the audit log as CSV',
    description: `The oldest first, at most ${auditRowsLimit} rows: a longer file ends with a line that says so. A cell that a spreadsheet could take for a formula begins with an apostrophe.`,
    queryParameters: auditFilters,
    response: {
      status: 200,
      description: `The entries that pass the filters. Columns: ${auditColumns.join(', ')}.`,
      contentType: 'text/csv',
      schema: Type.String({ minLength: 1 }),
      example: auditColumns.join(','),
    },
  }),
]

export type AuditItem = Static<typeof AuditItem>
export interface AuditFilters extends DayParameters {
  readonly by?: string
  readonly action?: string
  readonly object?: string
}
export interface AuditParameters extends AuditFilters, ListParameters {
  readonly order: 'newest' | 'oldest'
}
