import type { Reply } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'

/** Apart from the verifier, which the page of a statement loads only on demand. */
export const statementOf =
  (month: string, query: { since?: string } = {}) =>
  () =>
    asBlob(gateway.GET('/console/statements/{month}.jws', asFile({ month }, query)))

export const entriesOf = (month: string) => () =>
  asBlob(gateway.GET('/console/statements/{month}.jsonl', { params: { path: { month } }, parseAs: 'blob' }))

export const asFile = <Path extends object>(path: Path, query: { since?: string }) =>
  ({ params: { path, query }, parseAs: 'blob' }) as const

export const asBlob = (reply: Reply<unknown>) => reply as Reply<Blob>
