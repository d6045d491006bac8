import { type FoundSource, foundById } from '../../../../operator-kit/found.ts'
import type { Reader } from '../../../../storage/engine.ts'
import { rowMapper, text } from '../../../../storage/row-mapper.ts'
import { placeholders } from '../../../../storage/sql-text.ts'

const phoneOf = (account: string) => `(SELECT i.phone_masked FROM identities i WHERE i.account_id = ${account})`

export const foundAccountIds: readonly FoundSource[] = [
  foundById('acc', 'accounts a', {
    kind: 'account',
    id: 'a.account_id',
    projectId: '(SELECT p.project_id FROM projects p WHERE p.account_id = a.account_id)',
    label: phoneOf('a.account_id'),
  }),
  foundById('prj', 'projects p', { kind: 'project', id: 'p.project_id', label: phoneOf('p.account_id') }),
]

const owners = rowMapper('projects p', {
  projectId: text('p.project_id'),
  accountId: text('p.account_id'),
  phoneMasked: text(phoneOf('p.account_id')),
})

/** The accounts of projects, by project. */
export async function ownersOf(tx: Reader, projectIds: readonly string[]) {
  const ids = [...new Set(projectIds)]
  const rows = ids.length > 0 ? await owners.all(tx, `WHERE p.project_id IN (${placeholders(ids)})`, ids) : []
  return new Map(rows.map((row) => [row.projectId, row]))
}
