import type { Operation } from '../../contract/operation.ts'
import { type Tag, tags } from '../../contract/tags.ts'
import type { Words } from './words/words.ts'

export interface OperationGroup {
  readonly id: string
  readonly needsKey: boolean
  readonly tags: readonly { readonly tag: Tag; readonly operations: readonly Operation[] }[]
}

/** First what a program calls, then what belongs to the account. */
export function groupsOf(operations: readonly Operation[]): OperationGroup[] {
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  const rows = (Object.keys(tags) as Tag[])
    .filter((tag) => byTag.has(tag))
    .map((tag) => ({ tag, operations: byTag.get(tag)! }))
  const needsKey = (row: (typeof rows)[number]) => row.operations.some(({ access }) => access === 'key')
  return [
    { id: 'with-key', needsKey: true, tags: rows.filter(needsKey) },
    { id: 'account', needsKey: false, tags: rows.filter((row) => !needsKey(row)) },
  ]
}

export const groupTitle = ({ needsKey }: OperationGroup, { page }: Words) =>
  needsKey ? page.operationsWithKey : page.operationsWithSession
