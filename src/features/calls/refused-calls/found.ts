import { type FoundSource, foundById } from '../../../operator-kit/found.ts'

/** Requests that were refused without a charge. */
export const foundRefusedIds: FoundSource = foundById('req', 'refused_calls', {
  ...{ kind: 'request', id: 'request_id', label: 'code' },
})
